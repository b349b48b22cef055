# SPDX-License-Identifier: Apache-2.0
"""How far a load is, on the terminal or to whom it may concern."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple, Union

_EVERY = 0.1  # seconds


class Progress(NamedTuple):
    """Bytes of the array."""

    bytes_done: int
    bytes: int
    seconds: float


#: True: a line on standard error if that is a terminal; a function is called instead.
Wish = Union[bool, Callable[[Progress], object]]  # noqa: UP007 (evaluated by Python 3.10, too)


class Meter:
    """Told of the bytes so far, it tells at most ten times a second, and at the end."""

    def __init__(self, wish: Wish, total: int) -> None:
        self._line = wish is True and sys.stderr.isatty()
        self._tell = wish if callable(wish) else self._draw if self._line else None
        self._total = total
        self._begun = self._told = time.monotonic()

    def _draw(self, progress: Progress) -> None:
        share = progress.bytes_done / progress.bytes if progress.bytes else 1.0
        rate = progress.bytes_done / progress.seconds / 1e9 if progress.seconds else 0.0
        sys.stderr.write(f"\rloading {share:4.0%}  {rate:.2f} GB/s ")
        sys.stderr.flush()

    def update(self, done: int) -> None:
        now = time.monotonic()
        if self._tell is not None and now - self._told >= _EVERY:
            self._told = now
            self._tell(Progress(done, self._total, now - self._begun))

    @property
    def is_silent(self) -> bool:
        return self._tell is None

    def finish(self) -> None:
        if self._tell is not None:
            self._tell(Progress(self._total, self._total, time.monotonic() - self._begun))
        if self._line:
            sys.stderr.write("\n")


@contextlib.contextmanager
def watched(meter: Meter, done: Callable[[], int]) -> Iterator[None]:
    """Tells the meter from a thread of its own, for work that must not call anybody's functions.

    What those raise is raised at the end.
    """
    stop = threading.Event()
    raised: list[BaseException] = []

    def watch() -> None:
        try:
            while not stop.wait(_EVERY):
                meter.update(done())
        except BaseException as error:
            raised.append(error)

    watcher = threading.Thread(target=watch, name="muster-progress", daemon=True)
    if not meter.is_silent:
        watcher.start()
    try:
        yield
    finally:
        stop.set()
        if not meter.is_silent:
            watcher.join()
    if raised:
        raise raised[0]

# SPDX-License-Identifier: Apache-2.0
"""How far a load is, on the terminal or to whom it may concern."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
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

    def finish(self) -> None:
        if self._tell is not None:
            self._tell(Progress(self._total, self._total, time.monotonic() - self._begun))
        if self._line:
            sys.stderr.write("\n")

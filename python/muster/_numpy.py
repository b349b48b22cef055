# SPDX-License-Identifier: Apache-2.0
"""The local backend: the library's own threads load into memory of this process."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from muster import _garbage, errors
from muster._library import call, ffi, lib, options
from muster._progress import Meter, Wish
from muster.dataset import Dataset, check_memory

Array = np.ndarray[Any, np.dtype[Any]]


def as_array(out: Any) -> Array:
    """The memory of the caller's own object as an array; never a copy of it."""
    if isinstance(out, np.ndarray):
        return out
    try:
        return np.asarray(memoryview(out))
    except TypeError:
        pass
    if hasattr(out, "__dlpack__"):
        try:
            return np.from_dlpack(out)
        except (BufferError, RuntimeError, TypeError) as error:
            raise errors.UsageError(f"out: its memory cannot be used from here: {error}") from None
    raise errors.UsageError(f"out: {type(out).__name__} gives no memory (a buffer or DLPack)")


def check_fits(dataset: Dataset, shape: tuple[int, ...], dtype: Any) -> None:
    """Nothing is converted or broadcast by the way."""
    for what, found, wanted in (("shape", shape, dataset.shape), ("dtype", np.dtype(dtype), dataset.dtype)):
        if found != wanted:
            raise errors.UsageError(
                f"out: its {what} is {found}, that of the dataset {wanted}",
                found=str(found),
                expected=str(wanted),
            )


class _Load:
    """One call of muster_load on a thread of its own, so that Ctrl-C is heard meanwhile."""

    def __init__(self, dataset: Dataset, made: Any, meter: Meter) -> None:
        self._dataset, self._made = dataset, made
        self._error: BaseException | None = None
        self._ended = threading.Event()
        self._cancel = ffi.new("int *")
        made.cancel = self._cancel
        self._meter = meter
        self._progress = ffi.callback("void(void *, const muster_progress *)", self._tell)
        made.progress = ffi.NULL if meter.is_silent else self._progress

    def _tell(self, _: Any, progress: Any) -> None:
        """What the caller's function raises stops the load."""
        try:
            self._meter.update(progress.bytes_done)
        except BaseException as error:
            self._error = error
            self._cancel[0] = 1

    def _work(self) -> None:
        try:
            call(lib.muster_load, self._dataset._handle, self._made, ffi.NULL)
        except BaseException as error:  # handed to the thread that waits
            self._error = self._error or error
        finally:
            self._ended.set()

    def _wait(self) -> BaseException | None:
        """Until nothing writes any more, whatever is raised meanwhile; the first of that.

        Not by join(): an interrupted one lets the next return while the thread still runs.
        """
        raised = None
        while not self._ended.is_set():
            try:
                self._ended.wait()
            except BaseException as error:
                raised = raised or error
                self._cancel[0] = 1
        return raised

    def run(self) -> None:
        worker = threading.Thread(target=self._work, name="muster-load")
        raised: BaseException | None = None
        with _garbage.paused():
            try:
                worker.start()
            except BaseException as error:
                raised = error
                self._cancel[0] = 1
            if worker.ident is not None:
                raised = raised or self._wait()
                raised = raised or self._error
        if raised is not None:
            raise raised


def load(
    dataset: Dataset,
    out: Any,
    *,
    threads: int,
    tile_rows: int | None,
    over_decompose: int | None,
    progress: Wish,
) -> Any:
    if out is None:
        check_memory(dataset.nbytes)
        array = np.empty(dataset.shape, dataset.dtype)
    else:
        array = as_array(out)
        check_fits(dataset, array.shape, array.dtype)
        if not array.flags.writeable:
            raise errors.UsageError("out: its memory may not be written to")
    meter = Meter(progress, dataset.nbytes)
    strides = ffi.new("int64_t[]", list(array.strides))
    made = options(
        "muster_load_options",
        to=lib.MUSTER_TO_MEMORY,
        dst=ffi.cast("void *", array.ctypes.data),
        strides=strides,
        populate=out is None and array.flags.c_contiguous,
        threads=threads,
        tile_rows=tile_rows,
        over_decompose=over_decompose,
        checksum=False,
    )
    _Load(dataset, made, meter).run()
    meter.finish()
    return array if out is None else out

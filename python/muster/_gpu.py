# SPDX-License-Identifier: Apache-2.0
"""Rows into the memory of the GPU that a task of Legate runs on."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from muster._library import call, ffi, lib
from muster.dataset import Dataset

_lock = threading.Lock()
#: The opened driver. It keeps pinned memory for all loads to come, and is never closed: the contexts
#: that its memory belongs to are Legate's, and gone before Python ends.
_opened: list[Any] = []


def _driver() -> Any:
    with _lock:
        if not _opened:
            out = ffi.new("muster_gpu **")
            call(lib.muster_gpu_open, ffi.NULL, out)
            _opened.append(out[0])
        return _opened[0]


def read_rows(dataset: Dataset, lo: int, hi: int, pointer: int, strides: Sequence[int], stream: int) -> None:
    """Rows [lo, hi) to an address on the GPU, by copies on the stream; they are done when it returns."""
    call(
        lib.muster_read_rows_gpu,
        _driver(),
        dataset._handle,
        lo,
        hi,
        ffi.cast("void *", pointer),
        ffi.new("int64_t[]", list(strides)),
        ffi.cast("void *", stream or 0),
    )

# SPDX-License-Identifier: Apache-2.0
"""Garbage collection, kept off threads and tasks where it would end the process."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def paused() -> Iterator[None]:
    """No collection meanwhile, on any thread.

    It would free arrays of cuPyNumeric that hang in cycles, and those may only be freed by the thread
    that the program runs on, outside of tasks.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()

# SPDX-License-Identifier: Apache-2.0
"""Which thread Legate takes work from: it ends the process when another one brings some."""

from __future__ import annotations

import sys
import threading

from muster import errors

#: The one that started Legate, which its import does.
_home = threading.main_thread()


def note_start() -> None:
    """To be called before Legate is imported. Where it was before, the main thread has done so."""
    global _home
    if "legate.core" not in sys.modules:
        _home = threading.current_thread()


def check() -> None:
    """Raises where work for Legate would end the process: on other threads, and in its tasks."""
    here = threading.current_thread()
    if here is not _home:
        raise errors.UsageError(
            f"Legate takes work only from the thread that started it, {_home.name}, and this is {here.name}: "
            "load there, or with backend='numpy'"
        )

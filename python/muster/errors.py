# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions: all are `Error`, and each is also the built-in that fits."""

from __future__ import annotations

from typing import Any

#: An exception of more than some 1,500 characters in all ends the process when it leaves a task of
#: Legate, and a path may have 4,096.
_LONGEST = 400


class Error(Exception):
    """A fault that the library found.

    Attributes:
        file: the file concerned, or None.
        offset: the byte in that file, or None.
        found: where two things should agree, what was found ("float32", "500 bytes"), or None.
        expected: what it should have been, or None.
        message: what was found and what to do, without the file.
        status: the kind of fault in the library's words ("mismatch", "damaged", "changed").
        errnum: errno of the system call that failed, or 0.
        faults: all faults, where several were found; this one among them.
    """

    status = "damaged"

    def __init__(
        self,
        message: str,
        file: str | None = None,
        offset: int | None = None,
        found: str | None = None,
        expected: str | None = None,
        errnum: int = 0,
    ) -> None:
        self.message = message
        self.file = file
        self.offset = offset
        self.found = found
        self.expected = expected
        self.faults: list[Error] = []
        self.errnum = errnum
        super().__init__(message)

    def __str__(self) -> str:
        lines = [self._line(), *(fault._line() for fault in self.faults if fault._line() != self._line())]
        return "\n".join(lines)

    def _line(self) -> str:
        where = f"{self.file}: " if self.file else ""
        at = "" if self.offset is None else f" (byte {self.offset})"
        return f"{where}{self.message}{at}"

    def add_rank(self, rank: int) -> None:
        """Says which of several processes found it."""
        self.message = f"{self.message} (rank {rank})"
        self.args = (self.message,)

    def __reduce__(self) -> tuple[object, ...]:
        file = self.file
        if file is not None and len(file) > _LONGEST:
            file = "..." + file[-_LONGEST:]
        arguments = (self.message, file, self.offset, self.found, self.expected, self.errnum)
        return type(self), arguments, {"status": self.status}


class UsageError(Error, ValueError):
    """An argument makes no sense."""

    status = "usage"


class DataError(Error, ValueError):
    """The files are damaged, of a kind that is not read, or do not fit together."""


class CheckError(DataError):
    """The data differ from their seal."""

    status = "check failed"


class OutOfMemoryError(Error, MemoryError):
    """The array does not fit into the memory there is."""

    status = "out of memory"


class FileError(Error, OSError):
    """The system could not read or write."""

    status = "input/output"

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.errno = self.errnum or None
        self.strerror = self.message
        self.filename = self.file


class NotFoundError(FileError, FileNotFoundError):
    """There is no such file, or there are no shards in the folder."""

    status = "not found"


class ChangedError(FileError):
    """A file changed or vanished after the dataset was opened."""

    status = "changed"


class CancelledError(Error):
    """The load was stopped."""

    status = "cancelled"


def of(error: Exception) -> Error:
    """The error itself, or what stands for one of another kind."""
    return error if isinstance(error, Error) else Error(f"{type(error).__name__}: {error}")


class DatasetWarning(UserWarning):
    """A remark on a dataset that is loaded all the same: see `Dataset.notes`."""

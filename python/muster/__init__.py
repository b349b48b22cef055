# SPDX-License-Identifier: Apache-2.0
"""Load an array that lies on disk as many files, in parallel, into cuPyNumeric or NumPy.

    import muster

    dataset = muster.open("snapshots/")     # metadata only
    array = muster.load("snapshots/")       # all rows, each processor its own

Everything that goes wrong is a `muster.Error`, which is also the built-in exception that fits.
"""

from muster._library import lib as _lib
from muster._library import text as _text
from muster._load import load, open
from muster._progress import Progress
from muster.dataset import Dataset, Shard, Slice, Tile
from muster.errors import (
    CancelledError,
    ChangedError,
    CheckError,
    DataError,
    DatasetWarning,
    Error,
    FileError,
    NotFoundError,
    OutOfMemoryError,
    UsageError,
)

__version__ = _text(_lib.muster_version())

__all__ = [
    "CancelledError",
    "ChangedError",
    "CheckError",
    "DataError",
    "Dataset",
    "DatasetWarning",
    "Error",
    "FileError",
    "NotFoundError",
    "OutOfMemoryError",
    "Progress",
    "Shard",
    "Slice",
    "Tile",
    "UsageError",
    "load",
    "open",
]

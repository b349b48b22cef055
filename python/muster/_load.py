# SPDX-License-Identifier: Apache-2.0
"""`muster.load`: which backend loads, and what is settled before."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from muster import _numpy, _threads, errors
from muster._progress import Wish
from muster.dataset import Dataset, Path

BACKENDS = ("auto", "cupynumeric", "numpy")


def _is_legate(out: Any) -> bool:
    """Whether the object belongs to Legate or cuPyNumeric, without importing either."""
    module = type(out).__module__.partition(".")[0]
    return module in ("cupynumeric", "legate")


def choose_backend(backend: str, out: Any) -> str:
    """Where the array shall be. `auto` never starts a runtime that nobody has asked for."""
    if backend not in BACKENDS:
        raise errors.UsageError(f"backend: {backend!r} is none of {', '.join(BACKENDS)}")
    if backend != "auto":
        return backend
    if out is not None:
        return "cupynumeric" if _is_legate(out) else "numpy"
    # The program `legate` sets these; LEGATE_CONFIG may stand in anybody's profile.
    under_legate = "LEGATE_GLOBAL_RANK" in os.environ or "LEGATE_LOCAL_RANK" in os.environ
    return "cupynumeric" if "cupynumeric" in sys.modules or under_legate else "numpy"


def _legate_backend() -> Any:
    _threads.note_start()
    try:
        from muster import _legate
    except ImportError as error:
        raise errors.UsageError(
            f"backend='cupynumeric': it cannot be imported here ({error}): install nvidia-cupynumeric, "
            "or take backend='numpy'"
        ) from error
    return _legate


def _warn(path: Any, dataset: Dataset) -> None:
    """Who opens a dataset can look at its notes; who loads a path sees an array only."""
    if isinstance(path, Dataset):
        return
    for note in dataset.notes:
        warnings.warn(note, errors.DatasetWarning, stacklevel=3)


def _warn_of_dates(dataset: Dataset) -> None:
    warnings.warn(
        f"cuPyNumeric has no {dataset.dtype.name}: loaded as int64, counted in that unit",
        errors.DatasetWarning,
        stacklevel=3,
    )


def open(path: Path | Sequence[Path], **options: Any) -> Dataset:
    """Finds the files of a dataset and reads their metadata, nothing else.

    Under Legate with several ranks all of them must call it, and find the same.

    Args:
        path: a file, a folder, a glob, "@list.txt", or a list of those.
        options: as for `Dataset`.

    Raises:
        muster.Error: with all faults of all files.
    """
    if choose_backend("auto", None) == "numpy":
        return Dataset(path, **options)
    found: Dataset = _legate_backend().open_on_all(lambda: Dataset(path, **options), repr(options))
    return found


def load(
    path: Path | Sequence[Path] | Dataset,
    *,
    backend: str = "auto",
    out: Any = None,
    rows: slice | tuple[int | None, int | None] | None = None,
    dtype: Any = None,
    columns: Sequence[str] | None = None,
    dataset: str | None = None,
    tile_rows: int | None = None,
    over_decompose: int | None = None,
    progress: Wish = True,
    verify: bool = False,
    threads: int = 0,
    **options: Any,
) -> Any:
    """Loads all files of a dataset as one array, each processor its own rows.

    Args:
        path: a file, a folder, a glob, "@list.txt", a list of those, or an open `Dataset`.
        backend: where the array shall be: "cupynumeric", "numpy", or "auto", which takes cuPyNumeric
            where it is imported already or the script runs under `legate`.
        out: where the rows go instead of a new array: an array of cuPyNumeric, a store or array of
            Legate, or anything with a writable buffer or DLPack. Its shape and dtype must be those
            of the dataset.
        rows: the rows wanted, as a slice or (lo, hi); negative counts from the end.
        dtype: the dtype wanted, converted while loading.
        columns: columns by name, for formats that have them.
        dataset: the dataset in each file, for formats that hold several.
        tile_rows: rows that one processor loads at once; by default an equal share.
        over_decompose: shares for each processor.
        progress: True for a line on the terminal; a function is called with a `Progress`, from
            another thread. What it raises stops a load into NumPy, and is raised at the end of one
            into cuPyNumeric.
        verify: compare the files with their seal first.
        threads: of the local backend; 0 goes by the machine.
        options: as for `Dataset`.

    Returns:
        The new array, or `out`.

    Warns:
        muster.DatasetWarning: remarks on the files, as in `Dataset.notes`.

    Raises:
        muster.Error: with the file, what was found and what was expected.
    """
    name = choose_backend(backend, out)
    which = {"rows": rows, "dtype": dtype, "columns": columns, "dataset": dataset}
    if isinstance(path, Dataset) and (options or any(value is not None for value in which.values())):
        raise errors.UsageError("rows, dtype and options are given when a dataset is opened")
    options |= which | {"threads": threads}

    def open_dataset() -> Dataset:
        found = path if isinstance(path, Dataset) else Dataset(path, **options)
        if verify:
            found.check_seal(threads=threads)
        return found

    if name == "numpy":
        found = open_dataset()
        _warn(path, found)
        return _numpy.load(
            found,
            out,
            threads=threads,
            tile_rows=tile_rows,
            over_decompose=over_decompose,
            progress=progress,
        )
    loader = _legate_backend()
    _threads.check()
    shape = None if out is None else tuple(out.shape)
    chosen = {name: value for name, value in options.items() if name not in ("dtype", "threads")}
    arguments = repr((chosen, tile_rows, over_decompose, verify, shape))
    found = loader.open_on_all(open_dataset, arguments)
    _warn(path, found)
    if found.dtype.kind in "mM" and not isinstance(path, Dataset):
        _warn_of_dates(found)
        options["dtype"] = "int64"
        found = loader.open_on_all(open_dataset)
    return loader.load(found, out, tile_rows=tile_rows, over_decompose=over_decompose, progress=progress)

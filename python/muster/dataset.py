# SPDX-License-Identifier: Apache-2.0
"""Datasets: one array that lies on disk as many files."""

from __future__ import annotations

import html
import operator
import os
import weakref
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Union

import numpy as np

from muster import errors
from muster._library import advice, call, error_of, ffi, lib, options, put, text

Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]

_ORDERS = {"auto": "AUTO", "number": "NUMBER", "name": "NAME", "mtime": "MTIME", "list": "LIST"}
_DIRECT = {"auto": "AUTO", "never": "NEVER", "always": "ALWAYS"}
#: Shards that a representation names before it leaves the others out.
_SHOWN = 8
#: Bytes that are read at once by one thread, before the interpreter is asked for signals.
_PIECE = 64 << 20


class Shard(NamedTuple):
    """One file of a dataset."""

    path: str
    rows: int
    #: Its first row in the array of all shards.
    first_row: int
    #: Size of the file.
    bytes: int
    #: When it was last modified, in nanoseconds since 1970.
    mtime_ns: int
    #: Which array of the file; None: it holds one, or options name it.
    member: str | None = None


class Slice(NamedTuple):
    """Rows [file_lo, file_hi) of a shard, which become rows [dst_lo, dst_hi) of a tile."""

    shard: int
    file_lo: int
    file_hi: int
    dst_lo: int
    dst_hi: int


class Tile(NamedTuple):
    """Rows [row_lo, row_hi) of the array, and where they lie."""

    row_lo: int
    row_hi: int
    slices: tuple[Slice, ...]


def _choice(option: str, prefix: str, words: dict[str, str], word: str) -> int:
    if word not in words:
        raise errors.UsageError(f"{option}: {word!r} is none of {', '.join(words)}")
    return int(getattr(lib, prefix + words[word]))


def _row_range(rows: slice | tuple[int | None, int | None]) -> tuple[int, int]:
    """As in Python: negative counts from the end, None is the end itself."""
    if isinstance(rows, slice):
        if rows.step not in (None, 1):
            raise errors.UsageError("rows: a slice of step 1 is read, not one that leaves rows out")
        rows = (rows.start, rows.stop)
    try:
        lo, hi = rows
        return (
            0 if lo is None else operator.index(lo),
            2**63 - 1 if hi is None else operator.index(hi),
        )
    except (TypeError, ValueError):
        raise errors.UsageError(f"rows: {rows!r} is neither a slice nor (lo, hi)") from None


def _dtype_name(dtype: Any) -> str | None:
    if dtype is None or isinstance(dtype, str):
        return dtype
    try:
        return str(np.dtype(dtype).str if np.dtype(dtype).kind not in "mM" else np.dtype(dtype).name)
    except TypeError:
        raise errors.UsageError(f"{dtype!r} is no dtype") from None


def check_memory(count: int) -> None:
    """That so many bytes may be had; NumPy would not ask, and the system kills later."""
    available = int(lib.muster_available_memory())
    if count > available:
        raise errors.OutOfMemoryError(
            f"the array takes {count:,} bytes and {available:,} are free: "
            "load some rows (rows=), or as another dtype (dtype=)"
        )


class Dataset:
    """An array on disk, as `muster.open` finds it: nothing but metadata has been read.

    It never changes, and any thread may use it.

    Args:
        path: a file, a folder, a glob, "@list.txt", or a list of those.
        format: of the files; by default found out.
        rows: the part that it stands for, as a slice or (lo, hi); negative counts from the end.
        dtype: what the array shall be, converted while loading.
        source_dtype: what the bytes are, where files do not say (raw, bfloat16 saved as V2).
        row_shape: of raw files, the shape of one row; () for one value a row.
        header_bytes: of raw files, bytes before the first row.
        sidecar: a JSON description of raw files.
        order: of the files: "auto", "number", "name", "mtime", or "list" (as given).
        allow_gaps: accept holes in numbered names.
        stack: each file is one index of a new first axis.
        direct: read past the page cache: "auto", "always" or "never".
        threads: for reading metadata; 0 goes by the machine.
        dataset: of files with several arrays, which one; with * or ? those that match are shards.
        columns: of tables, these columns in this order.
        null: of tables, what nulls of integer columns become.
        strict: of Zarr, a missing chunk is an error.
        decode_cf: of NetCDF, apply scale_factor, add_offset, _FillValue and _Unsigned.
        follow_external: of HDF5, read files outside the dataset's folder that it refers to.
    """

    def __init__(
        self,
        path: Path | Sequence[Path],
        *,
        format: str | None = None,
        rows: slice | tuple[int | None, int | None] | None = None,
        dtype: Any = None,
        source_dtype: str | None = None,
        row_shape: Iterable[int] | None = None,
        header_bytes: int | None = None,
        sidecar: Path | None = None,
        order: str = "auto",
        allow_gaps: bool = False,
        stack: bool = False,
        direct: str = "auto",
        threads: int = 0,
        dataset: str | None = None,
        columns: Sequence[str] | None = None,
        null: Any = None,
        strict: bool = False,
        decode_cf: bool = False,
        follow_external: bool = False,
    ) -> None:
        self._keep: list[Any] = []
        many = isinstance(path, Sequence) and not isinstance(path, (str, bytes))
        inputs = [self._string("path", one) for one in (path if many else [path])]  # type: ignore[union-attr]
        made = options(
            "muster_open_options",
            format=self._string("format", format),
            dtype=self._string("dtype", _dtype_name(dtype)),
            source_dtype=self._string("source_dtype", _dtype_name(source_dtype)),
            sidecar=self._string("sidecar", sidecar),
            order=_choice("order", "MUSTER_ORDER_", _ORDERS, order),
            direct=_choice("direct", "MUSTER_DIRECT_", _DIRECT, direct),
            allow_gaps=bool(allow_gaps),
            stack=bool(stack),
            threads=threads,
            dataset=self._string("dataset", dataset),
            null_value=self._string("null", None if null is None else str(null)),
            strict=bool(strict),
            decode_cf=bool(decode_cf),
            follow_external=bool(follow_external),
        )
        if columns is not None:
            self._put_columns(made, columns)
        if rows is not None:
            made.rows.lo, made.rows.hi = _row_range(rows)
        if row_shape is not None:
            self._put_row_shape(made, row_shape)
        if header_bytes is not None:
            put(made, "header_bytes", header_bytes)
            made.header_bytes_set = True
        self._open(inputs, made)

    def _string(self, what: str, value: Any) -> Any:
        """A string of C, which lives until the dataset is open."""
        if value is None and what != "path":
            return None
        try:
            encoded = os.fsencode(value)
        except TypeError:
            raise errors.UsageError(f"{what}: {value!r} is no name") from None
        if b"\0" in encoded:
            raise errors.UsageError(f"{what}: {value!r} has a NUL")
        self._keep.append(ffi.new("char[]", encoded))
        return self._keep[-1]

    def _put_columns(self, made: Any, columns: Sequence[str]) -> None:
        if isinstance(columns, str):
            columns = [columns]
        names = [self._string("columns", name) for name in columns]
        self._keep.append(ffi.new("char const *[]", names))
        made.columns, made.column_count = self._keep[-1], len(names)

    def _put_row_shape(self, made: Any, row_shape: Iterable[int]) -> None:
        try:
            shape = ffi.new("uint64_t[]", [operator.index(n) for n in row_shape])
        except (TypeError, OverflowError):
            raise errors.UsageError(
                f"row_shape: {row_shape!r} is no shape: that is a sequence of lengths, such as (5,)"
            ) from None
        self._keep.append(shape)
        made.row_shape, made.row_rank, made.row_shape_set = shape, len(shape), True

    def _open(self, inputs: list[Any], made: Any) -> None:
        faults: list[errors.Error] = []
        on_fault = ffi.callback(
            "void(void *, const muster_error *)", lambda _, fault: faults.append(error_of(fault))
        )
        made.on_fault = on_fault
        out = ffi.new("muster_dataset **")
        try:
            call(lib.muster_open, ffi.new("char *[]", inputs), len(inputs), made, out)
        except errors.Error as error:
            error.faults = faults
            raise
        self._handle = out[0]
        self._keep.clear()
        free = weakref.finalize(self, lib.muster_dataset_free, out[0])
        free.atexit = False  # daemon threads may still be reading then

    def __copy__(self) -> Dataset:
        return self  # it never changes

    def __deepcopy__(self, memo: Any) -> Dataset:
        return self

    def __reduce__(self) -> Any:
        raise TypeError("a dataset cannot be pickled: open it again where it is needed")

    # ---- what it is --------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the array; shape[0] is the number of rows."""
        found = lib.muster_dataset_shape(self._handle)
        return tuple(found[i] for i in range(lib.muster_dataset_rank(self._handle)))

    @property
    def dtype(self) -> np.dtype[Any]:
        """Of the array, in native byte order."""
        name = ffi.new("char[48]")
        kind = ffi.new("muster_dtype *", lib.muster_dataset_dtype(self._handle))
        return np.dtype(text(lib.muster_dtype_name(kind, name)))

    @property
    def nbytes(self) -> int:
        """Bytes of the array."""
        return self.row_bytes * self.shape[0]

    @property
    def row_bytes(self) -> int:
        """Bytes of one row of the array."""
        return int(lib.muster_dataset_row_bytes(self._handle))

    @property
    def format(self) -> str:
        """Of the files: "npy", "raw"."""
        return text(lib.muster_dataset_format(self._handle))

    @property
    def shards(self) -> list[Shard]:
        """All files in their order, also those outside of `rows`."""
        count = lib.muster_dataset_shard_count(self._handle)
        found, shard = [], ffi.new("muster_shard *")
        for index in range(count):
            lib.muster_dataset_shard(self._handle, index, shard)
            member = text(shard.member) if shard.member else None
            facts = (shard.rows, shard.first_row, shard.bytes, shard.mtime_ns, member)
            found.append(Shard(text(shard.path), *facts))
        return found

    @property
    def notes(self) -> list[str]:
        """Remarks on the way to the dataset: files passed over, gaps in their numbers."""
        count = lib.muster_dataset_note_count(self._handle)
        return [advice(text(lib.muster_dataset_note(self._handle, i))) for i in range(count)]

    def __len__(self) -> int:
        return self.shape[0]

    def plan(self, procs: int, *, over_decompose: int = 1, tile_rows: int = 0) -> list[Tile]:
        """How `procs` processors would share the rows.

        Tiles have equal rows but for the last, unless each shard is a tile.
        """
        made = options("muster_plan_options", procs=procs, over_decompose=over_decompose, tile_rows=tile_rows)
        out = ffi.new("muster_plan **")
        call(lib.muster_plan_new, self._handle, made, out)
        plan = ffi.gc(out[0], lib.muster_plan_free)
        return [self._tile(plan, index) for index in range(lib.muster_plan_tile_count(plan))]

    @staticmethod
    def _tile(plan: Any, index: int) -> Tile:
        tile, part = ffi.new("muster_tile *"), ffi.new("muster_slice *")
        lib.muster_plan_tile(plan, index, tile)
        slices = []
        for i in range(tile.slice_count):
            lib.muster_plan_slice(plan, index, i, part)
            slices.append(Slice(part.shard, part.file_lo, part.file_hi, part.dst_lo, part.dst_hi))
        return Tile(tile.row_lo, tile.row_hi, tuple(slices))

    # ---- reading -----------------------------------------------------------------------------------

    def read_rows(self, lo: int, hi: int, pointer: int, strides: Sequence[int]) -> None:
        """Rows [lo, hi) to an address, with one stride in bytes for each axis.

        On the calling thread, without the interpreter's lock, so that threads read side by side.
        """
        made = ffi.new("int64_t[]", list(strides))
        call(lib.muster_read_rows, self._handle, lo, hi, ffi.cast("void *", pointer), made)

    def __getitem__(self, rows: slice) -> np.ndarray[Any, np.dtype[Any]]:
        """Some rows as a new array of NumPy: `dataset[1000:2000]`, read by the calling thread."""
        if not isinstance(rows, slice) or rows.step not in (None, 1):
            raise TypeError("a dataset gives rows by a slice of step 1, such as dataset[1000:2000]")
        lo, hi, _ = rows.indices(self.shape[0])
        count = max(0, hi - lo)
        check_memory(count * self.row_bytes)
        out = np.empty((count, *self.shape[1:]), self.dtype)
        step = max(1, _PIECE // max(1, self.row_bytes))
        for at in range(lo, hi if out.size else lo, step):
            part = out[at - lo : at - lo + step]
            self.read_rows(at, at + len(part), part.ctypes.data, part.strides)
        return out

    def check_seal(self, seal: Path | None = None, threads: int = 0) -> None:
        """Compares the files with what `muster seal` recorded.

        Raises:
            CheckError: a file is not the one that was sealed.
            NotFoundError: there is no seal.
        """
        if seal is None:
            seal = os.path.join(os.path.dirname(self.shards[0].path), "_muster_seal.json")
        call(lib.muster_check_seal, self._handle, os.fsencode(seal), threads, ffi.NULL)

    # ---- looking -----------------------------------------------------------------------------------

    def _summary(self) -> dict[str, str]:
        shards = len(self.shards)
        return {
            "format": f"{self.format}, {shards:,} shard{'' if shards == 1 else 's'}",
            "shape": str(self.shape),
            "dtype": self.dtype.name,
            "size": _human(self.nbytes),
        }

    def __repr__(self) -> str:
        return "<muster.Dataset: " + "; ".join(f"{k} {v}" for k, v in self._summary().items()) + ">"

    def _repr_html_(self) -> str:
        """For notebooks: what it is, and the first shards."""
        facts = "".join(
            f"<tr><th style='text-align:left'>{key}</th>"
            f"<td style='text-align:left'>{html.escape(value)}</td></tr>"
            for key, value in self._summary().items()
        )
        shards = self.shards
        rows = "".join(
            f"<tr><td style='text-align:left'>{html.escape(os.path.basename(shard.path))}</td>"
            f"<td>{shard.rows:,}</td><td>{_human(shard.bytes)}</td></tr>"
            for shard in shards[:_SHOWN]
        )
        if len(shards) > _SHOWN:
            rows += f"<tr><td colspan='3' style='text-align:left'>and {len(shards) - _SHOWN:,} more</td></tr>"
        head = "<tr><th style='text-align:left'>shard</th><th>rows</th><th>size</th></tr>"
        return f"<table>{facts}</table><table>{head}{rows}</table>"


def _human(count: float) -> str:
    """As the program shows sizes: powers of ten."""
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            return f"{count:.0f} B" if unit == "B" else f"{count:.3g} {unit}"
        count /= 1000
    raise AssertionError

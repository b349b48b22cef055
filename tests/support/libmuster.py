# SPDX-License-Identifier: Apache-2.0
"""
A small ctypes binding of the public header, for the tests only.

It is kept apart from the Python package, so that a mistake there cannot hide one in the library.
"""

import ctypes as c
import functools
import os

import numpy as np

from support import env
from support.declarations import *  # tests take them from here

@functools.cache
def lib():
    library = c.CDLL(str(env.LIBRARY))
    for name, (result, *arguments) in PROTOTYPES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class MusterError(Exception):
    """A muster_error, its status as the name without MUSTER_ERR_."""

    def __init__(self, error):
        self.status = STATUSES[error.status]
        self.errnum, self.offset = error.errnum, error.offset
        self.path = os.fsdecode(error.path)
        self.message = error.message.decode("utf-8", "surrogateescape")
        super().__init__(f"{self.status}: {self.path!r}: {self.message}")

    @property
    def name(self):
        return os.path.basename(self.path)


def call(name, *arguments):
    """Calls a function whose last parameter is a muster_error; raises unless it says OK."""
    error = CError()
    error.path = b"<not filled>"
    if status := getattr(lib(), name)(*arguments, c.byref(error)):
        raised = MusterError(error)
        assert status == error.status, f"{name} returned {STATUSES[status]}, but filled in {raised}"
        assert "\n" not in raised.message and raised.message, repr(raised.message)
        assert raised.path != "<not filled>", f"{name} did not fill the error"
        raise raised


def array_of(type_, values):
    values = list(values)
    return (type_ * max(1, len(values)))(*values)


def _text(value):
    return None if value is None else os.fsencode(str(value))


def options(init, structure, keep, **values):
    """The struct with the header's defaults and these values; `keep` holds what it points to."""
    made = structure()
    init(c.byref(made))
    assert made.struct_size == c.sizeof(structure)
    for name, value in values.items():
        if name in ("row_shape", "shard_rows") and value is not None:
            keep.append(array := array_of(c.c_uint64, value))
            setattr(made, name, array)
            if name == "row_shape":
                made.row_rank = len(value)
                if hasattr(made, "row_shape_set"):
                    made.row_shape_set = True
            else:
                made.shard_rows_count = len(value)
        elif name == "header_bytes" and value is not None:
            made.header_bytes, made.header_bytes_set = value, True
        elif name == "columns" and value is not None:
            keep.append(array := array_of(c.c_char_p, [os.fsencode(column) for column in value]))
            made.columns, made.column_count = array, len(value)
        elif name == "order":
            made.order = ORDERS[value]
        elif name == "direct":
            made.direct = DIRECT[value]
        elif name == "to":
            made.to = DESTINATIONS[value]
        elif name == "rows" and structure is COpenOptions:
            lo, hi = value
            made.rows = CRowRange(0 if lo is None else lo, END if hi is None else hi)
        elif dict(structure._fields_)[name] is c.c_char_p:
            setattr(made, name, _text(value))
        elif value is not None:
            keep.append(value)
            setattr(made, name, value)
    return made


def open_options(keep, faults=None, **values):
    made = options(lib().muster_open_options_init, COpenOptions, keep, **values)
    if faults is not None:
        made.on_fault = FAULT_FN(lambda _, fault: faults.append(MusterError(fault.contents)))
        keep.append(made.on_fault)
    return made


def numpy_dtype(dtype):
    kind = TYPES[dtype.type]
    unit = dtype.unit.decode()
    if unit and unit != "generic":
        kind += f"[{unit}]"
    return np.dtype(kind).newbyteorder("S" if dtype.swapped else "=")


def dtype_name(dtype):
    return lib().muster_dtype_name(c.byref(dtype), c.create_string_buffer(48)).decode()


def dtype_parse(text):
    dtype = CDtype()
    call("muster_dtype_parse", text.encode(), c.byref(dtype))
    return dtype


def strides_of(array):
    return array_of(c.c_int64, array.strides)


class Dataset:
    """muster_dataset. Faults that muster_open reports are in the exception's `faults`."""

    def __init__(self, inputs, **values):
        if isinstance(inputs, (str, bytes, os.PathLike)):
            inputs = [inputs]
        inputs = [os.fsencode(i) for i in inputs]
        self.handle, self._keep = c.c_void_p(), []
        faults = []
        made = open_options(self._keep, faults, **values)
        self._open("muster_open", faults, array_of(c.c_char_p, inputs), len(inputs), c.byref(made))

    def _open(self, function, faults, *arguments):
        try:
            call(function, *arguments, c.byref(self.handle))
        except MusterError as error:
            assert not self.handle.value, "a dataset although it failed"
            error.faults = faults
            raise
        assert not faults, f"faults although it opened: {faults}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        lib().muster_dataset_free(self.handle)
        self.handle = c.c_void_p()

    @property
    def shape(self):
        rank = lib().muster_dataset_rank(self.handle)
        shape = tuple(lib().muster_dataset_shape(self.handle)[:rank])
        assert shape[0] == lib().muster_dataset_rows(self.handle)
        return shape

    @property
    def rows(self):
        return lib().muster_dataset_rows(self.handle)

    @property
    def row_bytes(self):
        return lib().muster_dataset_row_bytes(self.handle)

    @property
    def dtype(self):
        return numpy_dtype(lib().muster_dataset_dtype(self.handle))

    @property
    def source_name(self):
        return dtype_name(lib().muster_dataset_source_dtype(self.handle))

    @property
    def format(self):
        return lib().muster_dataset_format(self.handle).decode()

    @property
    def shards(self):
        shards = []
        for index in range(lib().muster_dataset_shard_count(self.handle)):
            shard = CShard()
            assert lib().muster_dataset_shard(self.handle, index, c.byref(shard)) == 0
            shards.append((os.fsdecode(shard.path), shard.rows, shard.first_row, shard.bytes))
        return shards

    @property
    def names(self):
        return [os.path.basename(path) for path, *_ in self.shards]

    @property
    def notes(self):
        count = lib().muster_dataset_note_count(self.handle)
        notes = [lib().muster_dataset_note(self.handle, i) for i in range(count)]
        assert lib().muster_dataset_note(self.handle, count) is None
        return [note.decode("utf-8", "surrogateescape") for note in notes]

    def read_into(self, array, lo=0, hi=None):
        """Rows into any NumPy array of the dataset's dtype, by its strides."""
        hi = self.rows if hi is None else hi
        call("muster_read_rows", self.handle, lo, hi, array.ctypes.data, strides_of(array))
        return array

    def read(self, lo=0, hi=None):
        """Rows as a new array, by a dense destination (strides NULL)."""
        hi = self.rows if hi is None else hi
        array = np.empty((max(0, hi - lo),) + self.shape[1:], self.dtype)
        call("muster_read_rows", self.handle, lo, hi, array.ctypes.data, None)
        return array

    def load(self, to="memory", into=None, **values):
        """muster_load: (array or None, result)."""
        keep, result = [], CLoadResult()
        if to == "memory":
            into = np.empty(self.shape, self.dtype) if into is None else into
            keep.append(strides := strides_of(into))
            values |= {"dst": into.ctypes.data, "strides": strides}
        made = options(lib().muster_load_options_init, CLoadOptions, keep, to=to, **values)
        call("muster_load", self.handle, c.byref(made), c.byref(result))
        return into, result

    def plan(self, **values):
        """muster_plan: a list of (row_lo, row_hi, [(shard, file_lo, file_hi, dst_lo, dst_hi)])."""
        made = options(lib().muster_plan_options_init, CPlanOptions, [], **values)
        plan, tiles = c.c_void_p(), []
        call("muster_plan_new", self.handle, c.byref(made), c.byref(plan))
        try:
            count = lib().muster_plan_tile_count(plan)
            for index in range(count):
                tile, part = CTile(), CSlice()
                assert lib().muster_plan_tile(plan, index, c.byref(tile)) == 0
                slices = []
                for s in range(tile.slice_count):
                    assert lib().muster_plan_slice(plan, index, s, c.byref(part)) == 0
                    slices.append(tuple(getattr(part, f) for f, _ in CSlice._fields_))
                beyond = lib().muster_plan_slice(plan, index, tile.slice_count, c.byref(part))
                assert STATUSES[beyond] == USAGE
                tiles.append((tile.row_lo, tile.row_hi, slices))
            assert STATUSES[lib().muster_plan_tile(plan, count, c.byref(CTile()))] == USAGE
        finally:
            lib().muster_plan_free(plan)
        return tiles


class ReaderDataset(Dataset):
    """
    muster_open_reader over functions: shard_rows(shard) -> rows, and read(shard, lo, hi) -> an
    array or bytes. An exception in them becomes MUSTER_ERR_IO, or what `status` of it says.
    """

    def __init__(self, shard_rows, read, shards, trailing=(), source="f8", **values):
        self.handle, self._keep, self.released = c.c_void_p(), [], 0
        self.reader = reader = CReader()
        reader.struct_size = c.sizeof(CReader)
        reader.shard_count, reader.trailing_rank = shards, len(trailing)
        reader.trailing_shape = array_of(c.c_uint64, trailing)
        reader.dtype = dtype_parse(source)

        def fail(error, exception):
            error.contents.status = STATUSES.index(getattr(exception, "status", IO))
            error.contents.path, error.contents.offset = b"", -1
            error.contents.message = str(exception).encode()[:511]
            return error.contents.status

        def rows_callback(_, shard, rows, error):
            try:
                rows[0] = shard_rows(shard)
                return 0
            except Exception as exception:
                return fail(error, exception)

        def read_callback(_, shard, lo, hi, dst, error):
            try:
                data = read(shard, lo, hi)
                data = data if isinstance(data, bytes) else np.ascontiguousarray(data).tobytes()
                c.memmove(dst, data, len(data))
                return 0
            except Exception as exception:
                return fail(error, exception)

        def release_callback(_):
            self.released += 1

        reader.shard_rows = SHARD_ROWS_FN(rows_callback)
        reader.read_rows = READ_ROWS_FN(read_callback)
        reader.release = RELEASE_FN(release_callback)
        made = open_options(self._keep, None, **values)
        self._open("muster_open_reader", [], c.byref(reader), c.byref(made))


def checksum(array):
    data = np.ascontiguousarray(array)
    return lib().muster_checksum(data.ctypes.data, data.nbytes)


def write(folder, **values):
    keep = []
    made = options(lib().muster_write_options_init, CWriteOptions, keep, **values)
    call("muster_write", os.fsencode(folder), c.byref(made))


def _verified(name, *arguments):
    result = CVerifyResult()
    try:
        call(name, *arguments, c.byref(result))
    except MusterError as error:
        error.result = result
        raise
    return result


def verify(folder, **values):
    keep = []
    return _verified("muster_verify", os.fsencode(folder), c.byref(open_options(keep, **values)))


def seal(folder, output=None, **values):
    keep = []
    call("muster_seal", os.fsencode(folder), c.byref(open_options(keep, **values)), _text(output))


def check_seal(dataset, path, threads=2):
    return _verified("muster_check_seal", dataset.handle, os.fsencode(path), threads)


def clean(folder):
    removed = c.c_uint64(2**64 - 1)
    try:
        call("muster_clean", os.fsencode(folder), c.byref(removed))
    except MusterError as error:
        error.removed = removed.value
        raise
    return removed.value


# ---- assessing -----------------------------------------------------------------------------------


def take_text(function, *arguments):
    """The text that a function hands over by the parameter before its error."""
    text = c.c_void_p()
    try:
        call(function, *arguments, c.byref(text))
        return c.string_at(text).decode()
    finally:
        lib().muster_text_free(text)


class Assessment:
    """muster_assessment. `text` is a program's bytes; rules and ignored_rules are lists of ids."""

    def __init__(self, *paths, text=None, **values):
        self.handle, keep = c.c_void_p(), []
        for name in ("rules", "ignored_rules"):
            if name in values:
                ids = [i.encode() for i in values[name]]
                values |= {name: array_of(c.c_char_p, ids), name[:-1] + "_count": len(ids)}
        made = options(lib().muster_assess_options_init, CAssessOptions, keep, **values)
        if text is not None:
            made.text, made.text_length = text, len(text)
        paths = [os.fsencode(p) for p in paths]
        call(
            "muster_assess",
            array_of(c.c_char_p, paths),
            len(paths),
            c.byref(made),
            c.byref(self.handle),
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        lib().muster_assessment_free(self.handle)
        self.handle = c.c_void_p()

    @property
    def verdict(self):
        name = lib().muster_verdict_name(lib().muster_assessment_verdict(self.handle))
        return None if name is None else name.decode()

    @property
    def sentence(self):
        return lib().muster_assessment_sentence(self.handle).decode()

    @property
    def runs(self):
        return lib().muster_assessment_runs(self.handle)

    @property
    def baseline(self):
        return take_text("muster_assessment_baseline", self.handle)

    @property
    def explanation(self):
        text = lib().muster_assessment_explanation(self.handle)
        return None if text is None else text.decode()

    def count(self, of):
        return lib().muster_assessment_count(self.handle, LISTS.index(of))

    def write(self, form, **values):
        made = options(lib().muster_report_options_init, CReportOptions, [], **values)
        return take_text("muster_assessment_write", self.handle, form.encode(), c.byref(made))

# SPDX-License-Identifier: Apache-2.0
"""Arrow files and streams, as pyarrow writes them."""

import io
import struct

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pytest
from support import tables
from support.libmuster import FORMAT, MISMATCH, NOT_FOUND, UNSUPPORTED, USAGE, Dataset, MusterError
from support.reading import refused, said

INTEGERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
FLOATS = [pa.float16(), pa.float32(), pa.float64()]
TIMES = [pa.timestamp(u) for u in ("s", "ms", "us", "ns")] + [pa.duration("ms"), pa.date32(), pa.date64(),
         pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns"), pa.timestamp("us", "UTC")]  # fmt: skip
DAY_MS = 86_400_000


def storage(type_):
    """What the values of a type are stored as."""
    if pa.types.is_date32(type_) or pa.types.is_time32(type_):
        return np.dtype("i4")
    if pa.types.is_temporal(type_):
        return np.dtype("i8")
    return np.dtype(type_.to_pandas_dtype())


def numpy_dtype(type_):
    if pa.types.is_date32(type_):
        return np.dtype("M8[D]")
    if pa.types.is_date64(type_):
        return np.dtype("M8[ms]")
    if pa.types.is_timestamp(type_):
        return np.dtype(f"M8[{type_.unit}]")
    if pa.types.is_time(type_) or pa.types.is_duration(type_):
        return np.dtype(f"m8[{type_.unit}]")
    return storage(type_)


def random_values(rng, type_, count):
    """Numbers as they are stored, and as they are in NumPy."""
    if pa.types.is_boolean(type_):
        values = rng.integers(0, 2, count).astype(bool)
    elif pa.types.is_floating(type_):
        values = rng.standard_normal(count).astype(storage(type_))
    elif pa.types.is_temporal(type_):
        values = rng.integers(0, 80_000, count).astype(storage(type_))
        if pa.types.is_date64(type_):
            values *= DAY_MS
    else:
        info = np.iinfo(storage(type_))
        values = rng.integers(info.min, info.max, count, storage(type_), endpoint=True)
    return values


def arrow_array(values, type_, mask=None):
    if pa.types.is_temporal(type_):
        stored = pa.int32() if values.dtype == np.int32 else pa.int64()
        return pa.array(values, stored, mask=mask).view(type_)
    return pa.array(values, type_, mask=mask)


def null_of(dtype, null):
    if dtype.kind in "fc":
        return dtype.type(np.nan)
    return np.array("NaT", dtype) if dtype.kind in "mM" else np.array(null).astype(dtype)


def make_column(rng, type_, rows, shape=(), nulls=0.0, dictionary=False, null=0):
    """An Arrow array and what it is in NumPy."""
    count = rows * int(np.prod(shape, dtype=int))
    values = random_values(rng, type_, count)
    mask = rng.random(count) < nulls if nulls else None
    wanted = values.astype(numpy_dtype(type_))
    if mask is not None:
        wanted[mask] = null_of(wanted.dtype, null)
    array = arrow_array(values, type_, mask)
    if dictionary:
        array = array.dictionary_encode(null_encoding="mask" if rng.integers(0, 2) else "encode")
    wanted = wanted.reshape(rows, *shape)
    for axis in range(len(shape) - 1, -1, -1):
        slots = rows * int(np.prod(shape[:axis], dtype=int))
        gone = rng.random(slots) < nulls if nulls else None
        array = pa.FixedSizeListArray.from_arrays(
            array, shape[axis], mask=pa.array(gone) if gone is not None else None
        )
        if gone is not None:
            wanted.reshape(slots, int(np.prod(shape[axis:])))[gone] = null_of(wanted.dtype, null)
    return array, wanted


def write(path, table, rng=None, stream=False, compression=None, chunk=None, **options):
    options = pa.ipc.IpcWriteOptions(compression=compression, **options)
    new = pa.ipc.new_stream if stream else pa.ipc.new_file
    with new(path, table.schema, options=options) as writer:
        writer.write_table(table, chunk)
    return path


def table_of(*arrays, **columns):
    names = [f"c{i}" for i in range(len(arrays))] + list(columns)
    return pa.table([*arrays, *columns.values()], names)


@pytest.mark.parametrize("index", range(tables.CASES))
def test_random_tables(folder, index):
    rng = tables.rng_of(index)
    types = INTEGERS + FLOATS + TIMES + [pa.bool_()]
    type_ = types[index % len(types)]
    columns = int(rng.choice([1, 1, 2, 3, 17]))
    shape = [(), (), (3,), (2, 3), (1,)][int(rng.integers(0, 5))]
    dictionary = not shape and rng.integers(0, 4) == 0 and not pa.types.is_boolean(type_)
    options = {"null_value": "1"} if rng.integers(0, 2) else {}
    has_nulls = bool(options) or pa.types.is_floating(type_) or pa.types.is_temporal(type_)
    parts = []
    for shard in range(int(rng.integers(1, 4))):
        rows = int(rng.choice([0, 1, 9, 1000, 70_000 if columns < 17 else 3000]))
        nulls = float(rng.choice([0, 0.2, 0.9])) if has_nulls else 0
        made = [make_column(rng, type_, rows, shape, nulls, dictionary, null=1) for _ in range(columns)]
        order = rng.permutation(columns) if shard else range(columns)
        table = pa.table([made[i][0] for i in order], [f"c{i}" for i in order])
        chunk = int(rng.choice([1 << 30, 10_000, 333]))
        compression = [None, "lz4", "zstd"][int(rng.integers(0, 3))]
        write(folder / f"part_{shard}.arrow", table, stream=bool(rng.integers(0, 2)), chunk=chunk,
              compression=compression, unify_dictionaries=False)  # fmt: skip
        parts.append(made[0][1] if columns == 1 else np.stack([wanted for _, wanted in made], 1))
    wanted = np.concatenate(parts)
    tables.compare(rng, folder, wanted, **options)
    if columns > 1:
        some = [int(i) for i in rng.permutation(columns)[: int(rng.integers(1, columns + 1))]]
        wanted = wanted[:, some] if len(some) > 1 else wanted[:, some[0]]
        tables.compare(rng, folder, wanted, columns=[f"c{i}" for i in some], **options)


def test_feather(folder):
    rng = tables.rng_of(0)
    wanted = rng.random((100_000, 4))
    table = pa.table({f"c{i}": wanted[:, i] for i in range(4)})
    for compression in "uncompressed", "lz4", "zstd":
        feather.write_feather(table, folder / "x.feather", compression=compression)
        tables.compare(rng, folder / "x.feather", wanted)


def test_slices(folder):
    """Writers cut to what is used, also bits that begin within a byte."""
    rng = tables.rng_of(1)
    values, gone = rng.random(1000), rng.random(1000) < 0.5
    bits = rng.integers(0, 2, 1000).astype(bool)
    table = table_of(pa.array(values, mask=gone), pa.array(bits, mask=gone))[13:777]
    wanted = np.where(gone, np.nan, values)[13:777]
    tables.compare(rng, write(folder / "x.arrow", table), wanted, columns=["c0"])
    wanted = np.where(gone, True, bits)[13:777]
    tables.compare(rng, folder / "x.arrow", wanted, columns=["c1"], null_value="1")
    lists = pa.FixedSizeListArray.from_arrays(pa.array(values, mask=gone), 4)[3:200]
    wanted = np.where(gone, np.nan, values).reshape(-1, 4)[3:200]
    tables.compare(rng, write(folder / "y.arrow", table_of(lists)), wanted)


# ---- nulls -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [1, 2, 63, 64, 65, 131])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_many_columns(folder, columns, dtype):
    array = np.arange(columns * 101).reshape(columns, 101).astype(dtype)
    path = folder / "x.arrow"
    write(path, pa.table({f"c{i}": column for i, column in enumerate(array)}))
    with Dataset(path) as dataset:
        assert np.array_equal(dataset.load()[0], array.T if columns > 1 else array[0])


def test_nulls_of_integers(folder):
    path = write(folder / "x.arrow", table_of(pa.array([1, None, 3], pa.int16())))
    said(refused(path, MISMATCH), "c0", "nulls", "int16", "--null")
    said(refused(path, USAGE, null_value="40000"), "40000", "int16")
    said(refused(path, USAGE, null_value="x"), "x", "int16")
    with Dataset(path, null_value="-5") as dataset:
        assert dataset.read().tolist() == [1, -5, 3]
    with Dataset(path, null_value="-5", dtype="int64") as dataset:
        assert dataset.read().tolist() == [1, -5, 3]
    with Dataset(path, dtype="float32") as dataset:
        assert tables.same(dataset.read(), np.array([1, np.nan, 3], "f4"))


def test_nulls_of_other_columns_do_not_count(folder):
    table = table_of(pa.array([1, 2]), pa.array([None, 1], pa.int64()))
    with Dataset(write(folder / "x.arrow", table), columns=["c0"]) as dataset:
        assert dataset.read().tolist() == [1, 2]


@pytest.mark.parametrize("text, type_, value", [
    ("18446744073709551615", pa.uint64(), 2**64 - 1), ("-9223372036854775808", pa.int64(), -(2**63)),
    ("255", pa.uint8(), 255), ("-128", pa.int8(), -128), ("1", pa.bool_(), True), ("+7", pa.uint32(), 7),
])  # fmt: skip
def test_null_values(folder, text, type_, value):
    path = write(folder / "x.arrow", table_of(pa.array([None], type_)))
    with Dataset(path, null_value=text) as dataset:
        assert dataset.read().tolist() == [value]


@pytest.mark.parametrize("text, type_", [
    ("18446744073709551616", pa.uint64()), ("-1", pa.uint8()), ("256", pa.uint8()), ("128", pa.int8()),
    ("9223372036854775808", pa.int64()), ("2", pa.bool_()), ("", pa.int8()), ("1.5", pa.int8()), ("nan", pa.int64()),
])  # fmt: skip
def test_null_values_that_do_not_fit(folder, text, type_):
    said(refused(write(folder / "x.arrow", table_of(pa.array([None], type_))), USAGE, null_value=text), "nulls")


def test_nulls_in_a_list_and_of_a_list(folder):
    lists = pa.array([[1.0, None], None, [3.0, 4.0]], pa.list_(pa.float32(), 2))
    with Dataset(write(folder / "x.arrow", table_of(lists))) as dataset:
        nan = np.nan
        assert tables.same(dataset.read(), np.array([[1, nan], [nan, nan], [3, 4]], "f4"))


# ---- columns ---------------------------------------------------------------------------------------


def test_mixed_types(folder):
    table = table_of(pa.array([1, 2], pa.int32()), pa.array([0.5, None]), pa.array([True, False]))
    path = write(folder / "x.arrow", table)
    said(refused(path, MISMATCH), "c0 (int32)", "c1 (float64)", "c2 (bool)", "--dtype")
    said(refused(path, MISMATCH, dtype="int64"), "c1 (float64)")
    with Dataset(path, dtype="float32") as dataset:
        wanted = np.array([[1, 0.5, 1], [2, np.nan, 0]], "f4")
        assert tables.same(dataset.read(), wanted)


def test_large_integers_stay_exact(folder):
    table = table_of(pa.array([2**63 - 1], pa.int64()), pa.array([7], pa.uint8()))
    with Dataset(write(folder / "x.arrow", table), dtype="int64") as dataset:
        assert dataset.read().tolist() == [[2**63 - 1, 7]]


def test_times_among_numbers(folder):
    table = table_of(pa.array([1], pa.timestamp("us")), pa.array([5]), pa.array([1], pa.date32()))
    path = write(folder / "x.arrow", table)
    said(refused(path, MISMATCH), "datetime64[us]")
    said(refused(path, MISMATCH, dtype="float64"), "datetime64[us]")
    said(refused(path, MISMATCH, dtype="int64"), "several kinds")
    with Dataset(path, dtype="int64", columns=["c0", "c1"]) as dataset:
        assert dataset.read().tolist() == [[1, 5]]
    with Dataset(path, dtype="int64", columns=["c2"]) as dataset:
        assert dataset.read().tolist() == [1]


OTHERS = {
    "text": pa.array(["a"]), "large": pa.array(["a"], pa.large_string()), "view": pa.array(["a" * 50], pa.string_view()),
    "decimal": pa.array([1], pa.decimal128(5)), "list": pa.array([[1]]), "struct": pa.array([{"a": 1, "b": "x"}]),
    "map": pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int8())), "null": pa.nulls(1), "binary": pa.array([b"a"]),
    "fixed": pa.array([b"ab"], pa.binary(2)), "words": pa.array(["a"]).dictionary_encode(),
    "interval": pa.array([(1, 2, 3)], pa.month_day_nano_interval()),
    "union": pa.UnionArray.from_dense(pa.array([0], pa.int8()), pa.array([0], pa.int32()), [pa.array([1])]),
    "sparse": pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])]),
    "ends": pa.RunEndEncodedArray.from_arrays(pa.array([1], pa.int32()), pa.array([1])),
    "views": pa.array([[1]], pa.list_view(pa.int8())), "large_list": pa.array([[1]], pa.large_list(pa.int8())),
    "nested": pa.array([[["a"]]], pa.list_(pa.list_(pa.string(), 1), 1)),
}  # fmt: skip


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("compression", [None, "zstd"])
def test_other_columns(folder, stream, compression):
    """They are refused, or passed over when others are named."""
    table = table_of(first=pa.array([1.5]), **OTHERS, last=pa.array([2.5]))
    path = write(folder / "x.arrow", table, stream=stream, compression=compression)
    said(refused(path, UNSUPPORTED), "text (text)", "decimal (decimal)", "--columns first,last")
    said(refused(path, UNSUPPORTED, columns=["list"]), "'list' is list")
    said(refused(path, NOT_FOUND, columns=["lst"]), "no column 'lst'", "first, text")
    for names, wanted in (["first"], [1.5]), (["last", "first"], [[2.5, 1.5]]):
        with Dataset(path, columns=names) as dataset:
            assert dataset.read().tolist() == wanted


def test_only_other_columns(folder):
    said(refused(write(folder / "x.arrow", table_of(pa.array(["a"]))), UNSUPPORTED), "no column of numbers", "c0")
    said(refused(write(folder / "y.arrow", pa.table({})), MISMATCH), "no columns")


def test_columns_are_matched_by_name(folder):
    write(folder / "a_0.arrow", pa.table({"x": [1.0], "y": [2.0]}))
    write(folder / "a_1.arrow", pa.table({"y": [4.0], "x": [3.0]}))
    with Dataset(folder) as dataset:
        assert dataset.read().tolist() == [[1, 2], [3, 4]]
    write(folder / "a_1.arrow", pa.table({"y": [4.0], "z": [3.0]}))
    said(refused(folder, MISMATCH), "a_1.arrow", "no column 'x'", "a_0.arrow")
    write(folder / "a_1.arrow", pa.table({"y": [4.0], "x": [3.0], "z": [3.0]}))
    said(refused(folder, MISMATCH), "a_1.arrow", "'z' is not in the first shard")
    with Dataset(folder, columns=["y"]) as dataset:
        assert dataset.read().tolist() == [2, 4]


def test_shapes_that_differ(folder):
    table = table_of(pa.array([1.0]), pa.array([[1.0, 2.0]], pa.list_(pa.float64(), 2)))
    said(refused(write(folder / "x.arrow", table), MISMATCH), "several shapes", "c1 (float64 (2,))")


def test_names_of_all_kinds(folder):
    names = ["a b", "größe", "new\nline", "", "a,b"]
    table = pa.table([pa.array([float(i)]) for i in range(5)], names)
    path = write(folder / "x.arrow", table)
    for i, name in enumerate(names):
        with Dataset(path, columns=[name]) as dataset:
            assert dataset.read().tolist() == [i]
    table = pa.table([pa.array([1.0]), pa.array([2.0])], ["x", "x"])
    write(path, table)
    with Dataset(path) as dataset:
        assert dataset.read().tolist() == [[1, 2]]
    said(refused(path, MISMATCH, columns=["x"]), "more than once")


# ---- dictionaries ----------------------------------------------------------------------------------


@pytest.mark.parametrize("compression", [None, "lz4"])
def test_deltas_and_replacements(folder, compression):
    def batch(values):
        return pa.record_batch([pa.array(values).dictionary_encode()], ["x"])

    parts = [[1.5, 2.5, 1.5], [1.5, 2.5, 3.5], [9.5, 8.5], [9.5, 8.5, 7.5, 9.5]]
    options = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True, compression=compression)
    path = folder / "x.arrows"
    with pa.ipc.new_stream(path, batch(parts[0]).schema, options=options) as writer:
        for part in parts:
            writer.write_batch(batch(part))
    stats = writer.stats
    assert stats.num_dictionary_deltas > 0 and stats.num_replaced_dictionaries > 0
    tables.compare(tables.rng_of(2), path, np.concatenate(parts))
    path = folder / "x.arrow"
    with pa.ipc.new_file(path, batch(parts[0]).schema, options=options) as writer:
        for part in parts[:2]:
            writer.write_batch(batch(part))
    tables.compare(tables.rng_of(3), path, np.concatenate(parts[:2]))


def test_index_beyond_its_dictionary(folder):
    array = pa.DictionaryArray.from_arrays(pa.array([0, 5], pa.int8()), pa.array([1.5]), safe=False)
    path = write(folder / "x.arrow", table_of(array))
    with Dataset(path) as dataset, pytest.raises(MusterError, match="beyond its dictionary"):
        dataset.read()


@pytest.mark.parametrize("index", INTEGERS, ids=str)
def test_index_types(folder, index):
    array = pa.DictionaryArray.from_arrays(pa.array([1, None, 0], index), pa.array([1.5, 2.5]))
    with Dataset(write(folder / "x.arrow", table_of(array))) as dataset:
        assert tables.same(dataset.read(), np.array([2.5, np.nan, 1.5]))


# ---- files -----------------------------------------------------------------------------------------


def test_no_rows(folder):
    table = table_of(pa.array([], pa.float32()), pa.array([], pa.float32()))
    for stream in False, True:
        with Dataset(write(folder / "x.arrow", table, stream=stream)) as dataset:
            assert dataset.shape == (0, 2) and dataset.dtype == np.float32
    write(folder / "x.arrow", table_of(pa.array([], pa.list_(pa.int8(), 0))))
    with Dataset(folder / "x.arrow") as dataset:
        assert dataset.shape == (0, 0)
    with pa.ipc.new_stream(folder / "x.arrow", table.schema):
        pass
    with Dataset(folder / "x.arrow") as dataset:
        assert dataset.shape == (0, 2)


def test_stack(folder):
    for i in range(3):
        write(folder / f"{i}.arrow", table_of(pa.array([i, i + 1]), pa.array([5, 6])), compression=[None, "lz4", "zstd"][i])
    with Dataset(folder, stack=True) as dataset:
        assert dataset.read().tolist() == [[[i, 5], [i + 1, 6]] for i in range(3)]


def test_legacy_format(folder):
    """Of before Arrow 0.15: no mark before lengths."""
    wanted = np.arange(50_000.0)
    for stream in False, True:
        write(folder / "x.arrow", table_of(pa.array(wanted)), stream=stream, use_legacy_format=True, chunk=9999)
        tables.compare(tables.rng_of(4), folder / "x.arrow", wanted)


def test_found_out_by_content(folder):
    for stream in False, True:
        write(folder / "no_extension", table_of(pa.array([1.0])), stream=stream)
        with Dataset(folder / "no_extension") as dataset:
            assert dataset.format == "arrow"


def big_endian_stream():
    """A message with a schema that says so; pyarrow writes none on usual machines."""
    content = struct.pack("<I", 16)
    content += struct.pack("<HHHHHH", 12, 12, 4, 6, 8, 0)  # where the message has its fields
    content += struct.pack("<iHBBI", 12, 4, 1, 0, 12)  # version 5, a schema, which begins 12 bytes on
    content += struct.pack("<HHHH", 6, 6, 4, 0)
    content += struct.pack("<iH", 8, 1)
    content += bytes(-len(content) % 8)
    return b"\xff" * 4 + struct.pack("<I", len(content)) + content


def test_big_endian(folder):
    (folder / "x.arrow").write_bytes(big_endian_stream())
    said(refused(folder / "x.arrow", UNSUPPORTED), "big-endian")


def test_feather_1(folder):
    (folder / "x.feather").write_bytes(b"FEA1" + bytes(100) + b"FEA1")
    said(refused(folder / "x.feather", UNSUPPORTED), "Feather v1", "version=2")


def test_no_arrow(folder):
    (folder / "x.arrow").write_bytes(b"something else altogether, of 40 bytes...")
    said(refused(folder / "x.arrow", FORMAT), "Arrow")
    (folder / "x.arrow").write_bytes(b"")
    said(refused(folder / "x.arrow", FORMAT), "is empty")


# ---- recipes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("type_", [pa.float32(), pa.int64(), pa.uint64(), pa.bool_(), pa.date32(), pa.time32("ms"),
                                   pa.timestamp("us"), pa.duration("ns")], ids=str)  # fmt: skip
@pytest.mark.parametrize("columns", [1, 2])
def test_recipe(folder, stream, type_, columns):
    rng = tables.rng_of(7)
    made = [make_column(rng, type_, 50, nulls=0.3, null=1) for _ in range(columns)]
    table = pa.table([array for array, _ in made], ["a b", "it's\n"][:columns])
    path = write(folder / "x.arrow", table, stream=stream, chunk=20)
    wanted = np.stack([w for _, w in made], 1) if columns > 1 else made[0][1]
    assert tables.same(tables.by_recipe(path, wanted, "--null=1"), wanted)


@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize("dictionary", [False, True])
def test_recipe_of_lists_and_dictionaries(folder, columns, dictionary):
    rng = tables.rng_of(8)
    shape = () if dictionary else (2, 3)
    made = [make_column(rng, pa.float64(), 50, shape, dictionary=dictionary) for _ in range(columns)]
    path = write(folder / "x.arrow", table_of(*[array for array, _ in made]), chunk=20)
    wanted = np.stack([w for _, w in made], 1) if columns > 1 else made[0][1]
    assert tables.same(tables.by_recipe(path, wanted), wanted)


# ---- damage ----------------------------------------------------------------------------------------


def sample(rng, stream, compression):
    values = rng.integers(0, 100, 900)
    table = table_of(
        pa.array(values.astype(float), mask=rng.random(900) < 0.3),
        pa.FixedSizeListArray.from_arrays(pa.array(values.astype("f4")), 3).take(pa.array(np.arange(900) % 300)),
        pa.array(values).cast(pa.float64()).dictionary_encode(),
        pa.array(["text"] * 900),
    )  # fmt: skip
    content = io.BytesIO()
    write(content, table, stream=stream, compression=compression, chunk=400)
    return content.getvalue()


SAMPLES = [(stream, compression) for stream in (False, True) for compression in (None, "lz4", "zstd")]


@pytest.mark.parametrize("stream, compression", SAMPLES)
def test_cut_anywhere(folder, stream, compression):
    content = sample(tables.rng_of(5), stream, compression)
    path = folder / "x.arrow"
    with io.BytesIO(content) as file:
        reader = (pa.ipc.open_stream if stream else pa.ipc.open_file)(file)
        wanted = reader.read_all()["c0"].to_numpy()
    for length in range(0, len(content), 1 if tables.SOAK else 97):
        path.write_bytes(content[:length])
        found = tables.outcome(path, columns=["c0"], format="arrow")
        # A stream may end after any message.
        if not (stream and isinstance(found, np.ndarray)):
            assert found == FORMAT, length
        else:
            assert tables.same(found, wanted[: len(found)])


@pytest.mark.parametrize("stream, compression", SAMPLES)
def test_damage(folder, stream, compression):
    rng = tables.rng_of(6)
    content = sample(rng, stream, compression)
    path = folder / "x.arrow"
    for copy in tables.damaged(rng, content, tables.DAMAGED // len(SAMPLES)):
        path.write_bytes(copy)
        for columns in ["c0"], ["c1"], ["c2"], ["c0", "c2"]:
            tables.outcome(path, columns=columns, format="arrow", null_value="3")

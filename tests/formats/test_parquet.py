# SPDX-License-Identifier: Apache-2.0
"""What Parquet files of others hold, and what is refused, case by case."""

import datetime
import os
import subprocess

import numpy as np
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest
from support import env, reference
from support.libmuster import FORMAT, MISMATCH, NOT_FOUND, UNSUPPORTED, Dataset, MusterError

F4 = pa.float32()


def put(folder, table, name="x.parquet", **options):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    pq.write_table(table if isinstance(table, pa.Table) else pa.table(table), path, **options)
    return path


def loaded(path, **options):
    with Dataset(path, **options) as dataset:
        return dataset.load()[0]


def refused(path, **options):
    with pytest.raises(MusterError) as error, Dataset(path, **options) as dataset:
        dataset.read()
    return error.value


# ---- shapes ------------------------------------------------------------------------------------------


def test_one_column_is_one_axis_and_more_are_two(tmp_path):
    a, b = np.arange(5, dtype="f4"), np.arange(5, 10, dtype="f4")
    path = put(tmp_path, {"a": a, "b": b})
    assert reference.same(loaded(put(tmp_path, {"a": a}, "one.parquet")), a)
    assert reference.same(loaded(path), np.stack([a, b], 1))
    assert reference.same(loaded(path, columns=["b"]), b)
    assert reference.same(loaded(path, columns=["b", "a"]), np.stack([b, a], 1))
    assert reference.same(loaded(path, columns=["a", "a"]), np.stack([a, a], 1))


def test_fixed_size_lists_are_axes(tmp_path):
    values = np.arange(24, dtype="f4").reshape(4, 2, 3)
    inner = pa.FixedSizeListArray.from_arrays(values.ravel(), 3)
    outer = pa.FixedSizeListArray.from_arrays(inner, 2)
    assert reference.same(loaded(put(tmp_path, {"a": inner})), values.reshape(8, 3))
    assert reference.same(loaded(put(tmp_path, {"a": outer})), values)
    both = loaded(put(tmp_path, {"a": outer, "b": outer}))
    assert reference.same(both, np.stack([values, values], 1))


def test_pages_that_are_too_large_to_read_all_columns_at_once(tmp_path):
    """Up to 48 MiB of pages are held: not 8 columns of 8 MB, which are read 4 or 5 at a time."""
    columns = np.arange(8_000_000, dtype="f8").reshape(8, -1)
    whole = {"data_page_size": 1 << 30, "max_rows_per_page": 1 << 30, "use_dictionary": False}
    table = {f"c{i}": column for i, column in enumerate(columns)}
    assert np.array_equal(loaded(put(tmp_path, table, compression="none", **whole)), columns.T)


@pytest.mark.parametrize("nullable", [True, False])
def test_lists_that_may_be_null_and_lists_that_may_not(tmp_path, nullable):
    values = np.arange(300, dtype="f4").reshape(100, 3)
    type_ = pa.list_(pa.field("item", F4, nullable), 3)
    array = pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), type=type_)
    table = pa.table([array], schema=pa.schema([pa.field("a", type_, nullable)]))
    for version in ("1.0", "2.0"):
        path = put(tmp_path, table, data_page_version=version, row_group_size=30)
        assert reference.same(loaded(path), values)
        with Dataset(path) as dataset:
            assert reference.same(dataset.read(17, 83), values[17:83])


def test_a_null_list_fills_its_row(tmp_path):
    lists = [[1, 2, 3], None, [4, None, 6], None, [7, 8, 9]]
    path = put(tmp_path, {"a": pa.array(lists, pa.list_(F4, 3))})
    nan = np.nan
    expected = [[1, 2, 3], [nan] * 3, [4, nan, 6], [nan] * 3, [7, 8, 9]]
    assert reference.same(loaded(path), np.array(expected, "f4"))
    path = put(tmp_path, {"a": pa.array(lists, pa.list_(pa.int16(), 3))})
    expected = [[1, 2, 3], [-1] * 3, [4, -1, 6], [-1] * 3, [7, 8, 9]]
    assert reference.same(loaded(path, null_value="-1"), np.array(expected, "i2"))


def test_lists_without_a_fixed_size_are_refused(tmp_path):
    path = put(tmp_path, {"a": pa.array([[1.0, 2.0], [3.0, 4.0]])})
    error = refused(path)
    assert error.status == UNSUPPORTED and "pa.list_(type, size)" in error.message


def test_empty_row_groups_and_files(tmp_path):
    table = pa.table({"a": np.arange(4, dtype="i4"), "b": np.arange(4, dtype="i4")})
    with pq.ParquetWriter(tmp_path / "0.parquet", table.schema) as writer:
        for part in (table[:0], table[:3], table[:0], table[3:], table[:0]):
            writer.write_table(part)
    pq.write_table(table[:0], tmp_path / "1.parquet")
    with pq.ParquetWriter(tmp_path / "2.parquet", table.schema):
        pass
    expected = np.stack([np.arange(4, dtype="i4")] * 2, 1)
    assert reference.same(loaded(tmp_path), expected)
    assert reference.same(loaded(tmp_path / "2.parquet"), expected[:0])


# ---- columns -----------------------------------------------------------------------------------------


def test_columns_are_matched_by_name(tmp_path):
    put(tmp_path, {"a": pa.array([1, 2]), "b": pa.array([3, 4])}, "0.parquet")
    put(tmp_path, {"b": pa.array([30]), "a": pa.array([10])}, "1.parquet")
    assert loaded(tmp_path).tolist() == [[1, 3], [2, 4], [10, 30]]
    put(tmp_path, {"a": pa.array([1])}, "2.parquet")
    error = refused(tmp_path)
    assert error.status == MISMATCH and error.name == "2.parquet" and "'b'" in error.message


@pytest.mark.parametrize("name", ["a b", "ä", "line\nend", "a.b", "a=b", "", " ", "a\\b", '"', "価格"])
def test_names_of_columns(tmp_path, name):
    path = put(tmp_path, {name: pa.array([1, 2]), "other": pa.array(["x", "y"])})
    assert loaded(path, columns=[name]).tolist() == [1, 2]
    assert "\n" not in refused(path).message


def test_a_column_that_is_not_there(tmp_path):
    error = refused(put(tmp_path, {"a": [1], "b": [2]}), columns=["c"])
    assert error.status == NOT_FOUND and "a, b" in error.message


def test_what_is_no_number_is_listed(tmp_path):
    table = {
        "n": pa.array([1.5]),
        "s": pa.array(["x"]),
        "d": pa.array([datetime.time(1)]),
        "m": pa.array([1], pa.decimal128(5, 2)),
        "b": pa.array([b"x"]),
        "r": pa.array([{"u": 1}]),
        "k": pa.array([[("a", 1)]], pa.map_(pa.string(), pa.int32())),
    }
    path = put(tmp_path, table)
    error = refused(path)
    assert error.status == UNSUPPORTED
    for word in ("s (text)", "time of day", "decimal", "binary", "a struct", "a map", "--columns n"):
        assert word in error.message, word
    assert loaded(path, columns=["n"]).tolist() == [1.5]
    error = refused(path, columns=["n", "s"])
    assert error.status == UNSUPPORTED and "'s'" in error.message


def test_several_types_become_one_when_it_is_named(tmp_path):
    path = put(tmp_path, {"a": pa.array([1, 2], pa.int8()), "b": pa.array([0.5, 1.5], F4)})
    error = refused(path)
    assert error.status == MISMATCH and "a (int8), b (float32)" in error.message
    assert reference.same(loaded(path, dtype="float64"), np.array([[1, 0.5], [2, 1.5]]))


# ---- nulls -------------------------------------------------------------------------------------------


def test_nulls(tmp_path):
    floats = put(tmp_path, {"a": pa.array([1, None], F4)}, "f.parquet")
    assert reference.same(loaded(floats), np.array([1, np.nan], "f4"))
    ints = put(tmp_path, {"a": pa.array([1, None, 3], pa.uint64())}, "i.parquet")
    error = refused(ints)
    assert error.status == MISMATCH and "'a'" in error.message and "--null" in error.message
    assert loaded(ints, null_value=str(2**64 - 1)).tolist() == [1, 2**64 - 1, 3]
    assert reference.same(loaded(ints, dtype="float64"), np.array([1, np.nan, 3]))
    times = put(tmp_path, {"a": pa.array([1, None], pa.timestamp("us"))}, "t.parquet")
    assert reference.same(loaded(times), np.array([1, "NaT"], "M8[us]"))
    bools = put(tmp_path, {"a": pa.array([True, None, False])}, "b.parquet")
    assert loaded(bools, null_value="1").tolist() == [True, True, False]


def opened(path, **options):
    with Dataset(path, **options) as dataset:
        return dataset.shape


@pytest.mark.parametrize("page", ["1.0", "2.0"])
@pytest.mark.parametrize("shape", [(), (2,)])
def test_nulls_of_integers_are_told_when_the_dataset_is_opened(tmp_path, shape, page):
    def column(values):
        made = pa.array(values, pa.int32())
        return pa.FixedSizeListArray.from_arrays(made, 2) if shape else made

    whole, holed = column([1, 2, 3, 4]), column([5, 6, None, 8])
    put(tmp_path, {"id": whole, "qty": whole}, "d/s_0.parquet", data_page_version=page)
    for rows in (1, 4):  # in the last row group, in the only one
        put(tmp_path, {"id": whole, "qty": holed}, "d/s_1.parquet", row_group_size=rows)
        for columns in (["qty"], ["id", "qty"], None):
            with pytest.raises(MusterError) as raised:
                opened(tmp_path / "d", columns=columns)
            assert raised.value.status == MISMATCH
            assert raised.value.path.endswith("s_1.parquet")
            assert "column 'qty' holds nulls, for which int32 has no value" in raised.value.message
        total = 4 if shape else 8
        assert opened(tmp_path / "d", columns=["id"]) == (total, *shape)
        for options in ({"null_value": "-1"}, {"dtype": "float64"}):
            found = loaded(tmp_path / "d", columns=["qty"], **options)
            expected = np.array([1, 2, 3, 4, 5, 6, np.nan, 8]).reshape(-1, *shape)
            if "null_value" in options:
                expected = np.nan_to_num(expected, nan=-1).astype("i4")
            assert reference.same(found, expected)
    # Rows that have none can be read by themselves.
    part = loaded(tmp_path / "d", columns=["qty"], rows=(0, total // 2))
    assert reference.same(part, np.array([1, 2, 3, 4], "i4").reshape(-1, *shape))
    with pytest.raises(MusterError, match="holds nulls"):
        loaded(tmp_path / "d", columns=["qty"], rows=(0, total - 1 if not shape else total))


def test_nulls_that_the_file_does_not_count_are_told_when_they_are_read(tmp_path):
    path = put(tmp_path, {"a": pa.array([1, None], pa.int64())}, write_statistics=False)
    assert opened(path) == (2,)
    assert "holds nulls" in refused(path).message


@pytest.mark.parametrize("text", ["nan", "NaN", "NAN"])
def test_nulls_that_shall_be_nan(tmp_path, text):
    ints = put(tmp_path, {"a": pa.array([1, None], pa.int32())}, "i.parquet")
    for dtype in ("float64", "float32"):
        found = loaded(ints, null_value=text, dtype=dtype)
        assert reference.same(found, np.array([1, np.nan], dtype))
    for dtype in (None, "int64"):
        error = refused(ints, null_value=text, dtype=dtype)
        assert "NaN in int32, which has none: --dtype float64 makes them NaN" in error.message
    floats = put(tmp_path, {"a": pa.array([1, None], F4)}, "f.parquet")
    assert reference.same(loaded(floats, null_value=text), np.array([1, np.nan], "f4"))


# ---- times -------------------------------------------------------------------------------------------


def test_times(tmp_path):
    day = datetime.date(2024, 2, 29)
    times = np.array(["2024-02-29T12:00", "1969-12-31T23:59:59.999"], "M8[ms]")
    assert reference.same(loaded(put(tmp_path, {"a": pa.array([day])})), np.array([day], "M8[D]"))
    for unit in ("ms", "us", "ns"):
        path = put(tmp_path, {"a": times.astype(f"M8[{unit}]")})
        assert reference.same(loaded(path), times.astype(f"M8[{unit}]"))
        path = put(tmp_path, {"a": pa.array(times.astype(f"M8[{unit}]"), pa.timestamp(unit, "UTC"))})
        assert reference.same(loaded(path), times.astype(f"M8[{unit}]"))
    old = put(tmp_path, {"a": times.astype("M8[ns]")}, use_deprecated_int96_timestamps=True)
    assert reference.same(loaded(old), times.astype("M8[ns]"))
    lengths = np.array([5, -7], "m8[ms]")
    assert reference.same(loaded(put(tmp_path, {"a": lengths})), lengths)
    mixed = put(tmp_path, {"t": times, "x": pa.array([1.0, 2.0])})
    assert refused(mixed).status == MISMATCH


# ---- folders -----------------------------------------------------------------------------------------


def test_partitioned_folders(tmp_path):
    for month in (1, 2, 10):
        for part in range(3):
            value = month * 10 + part
            folder = f"year=2024/month={month}"
            put(tmp_path, {"x": pa.array([value], F4)}, f"{folder}/part-{part}.parquet")
    expected = [10, 11, 12, 20, 21, 22, 100, 101, 102]
    assert loaded(tmp_path).tolist() == expected
    months = loaded(tmp_path, columns=["month", "x"], dtype="float32")
    assert months.tolist() == [[x // 10, x] for x in expected]
    assert reference.same(loaded(tmp_path, columns=["year"]), np.full(9, 2024, "i8"))
    assert refused(tmp_path, columns=["day"]).status == NOT_FOUND


def test_partitions_of_pyarrow(tmp_path):
    table = pa.table({"x": pa.array([1, 2, 3, 4]), "city": ["b c", "a", "b c", "a"]})
    pa.dataset.write_dataset(table, tmp_path, format="parquet", partitioning=["city"],
                             partitioning_flavor="hive")  # fmt: skip
    assert loaded(tmp_path).tolist() == [2, 4, 1, 3]
    error = refused(tmp_path, columns=["city", "x"])
    assert error.status == UNSUPPORTED and "'city'" in error.message


# ---- other writers -----------------------------------------------------------------------------------


def test_polars(tmp_path):
    polars = pytest.importorskip("polars")
    values = np.random.default_rng(1).standard_normal((3000, 4)).astype("f4")
    frame = polars.DataFrame({f"c{i}": values[:, i] for i in range(4)})
    for codec in ("uncompressed", "snappy", "zstd", "lz4", "gzip"):
        frame.write_parquet(tmp_path / "x.parquet", compression=codec, row_group_size=1000)
        assert reference.same(loaded(tmp_path / "x.parquet"), values)
    array = polars.DataFrame({"a": polars.Series(values, dtype=polars.Array(polars.Float32, 4))})
    array.write_parquet(tmp_path / "x.parquet")
    assert reference.same(loaded(tmp_path / "x.parquet"), values)


def test_duckdb(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "x.parquet"
    duckdb.sql(f"copy (select range::int a, (range * 2)::int b from range(5000)) to '{path}'")
    assert reference.same(loaded(path), np.stack([np.arange(5000), np.arange(5000) * 2], 1).astype("i4"))


# ---- what is damaged, or not for us ------------------------------------------------------------------


def test_codecs_that_are_not_read(tmp_path):
    path = put(tmp_path, {"a": pa.array(range(100))}, compression="brotli")
    error = refused(path)
    assert error.status == UNSUPPORTED and "brotli" in error.message


def test_a_file_that_was_not_finished(tmp_path):
    path = put(tmp_path, {"a": pa.array(range(100))})
    content = open(path, "rb").read()
    for length in range(0, len(content)):
        with open(path, "wb") as file:
            file.write(content[:length])
        if length >= 4:
            assert refused(path, format="parquet").status == FORMAT


def test_encrypted_files(tmp_path):
    path = put(tmp_path, {"a": pa.array([1])})
    content = open(path, "rb").read()
    with open(path, "wb") as file:
        file.write(content[:-4] + b"PARE")
    assert refused(path).status == UNSUPPORTED


# ---- writing -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
                                   "float16", "float32", "float64", "datetime64[us]"])  # fmt: skip
def test_written_files_are_read_by_pyarrow(tmp_path, dtype):
    folder = tmp_path / "made"
    command = [env.PROGRAM, "write", folder, "--format=parquet", "--rows=2000", "--row-shape=3",
               "--shards=2", f"--dtype={dtype}", "--seed=3", "--quiet"]  # fmt: skip
    subprocess.run(command, check=True)
    table = pq.read_table(folder, partitioning=None)
    got = np.stack([np.asarray(column.combine_chunks()) for column in table.columns], axis=1)
    expected = reference.cells(3, dtype, 0, 6000).reshape(2000, 3)
    assert reference.same(got, expected)
    assert reference.same(loaded(folder), expected)
    subprocess.run([env.PROGRAM, "verify", folder, "--quiet"], check=True)


def test_what_cannot_be_written_is_said(tmp_path):
    for options in (["--row-shape=2,3"], ["--dtype=complex64"], ["--dtype=>f4"]):
        command = [env.PROGRAM, "write", tmp_path / "no", "--format=parquet", "--rows=10", *options]
        ran = subprocess.run(command, capture_output=True, text=True)
        assert ran.returncode == 1 and "Parquet" in ran.stderr, ran.stderr
        assert not (tmp_path / "no").exists()


# ---- in Python ---------------------------------------------------------------------------------------


def by_recipe(path, *options):
    """What the function in a recipe makes of a file, whole and in part."""
    command = [env.PROGRAM, "recipe", path, *options, "--quiet"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    shape = [line for line in text.splitlines() if line.startswith("SHAPE = ")]
    names = {"np": np}
    begin = text.index("def open_shard")
    exec("\n".join(shape) + "\n" + text[begin : text.index("\n\n\n", begin)], names)
    rows = names["open_shard"](str(path))
    whole = rows[0 : len(rows)]
    assert rows.dtype == whole.dtype and tuple(rows.shape) == whole.shape == names["SHAPE"]
    for lo, hi in ((0, 1), (3, 8), (len(rows) - 1, len(rows))):
        assert reference.same(rows[lo:hi], whole[lo:hi])
    return whole


def test_what_recipes_read(tmp_path):
    numbers = np.arange(40, dtype="f4")
    some = pa.array(np.arange(40, dtype="i4"), mask=np.arange(40) % 7 == 3)
    lists = pa.array([[i, i + 0.5] if i % 5 else None for i in range(40)], pa.list_(F4, 2))
    table = {"a": numbers, "ä\n\"\\b": numbers * 2, "n": some, "l": lists, "t": pa.array(["x"] * 40)}
    path = put(tmp_path, table, "year=7/x.parquet", row_group_size=9)
    for columns, options in (
        (["a"], []),
        (["ä\n\"\\b", "a"], []),
        (["n"], ["--null=-3"]),
        (["n", "a"], ["--dtype=float64"]),
        (["l"], []),
        (["a", "year"], ["--dtype=float64"]),
    ):
        name = {"columns": columns}
        for option in options:
            key, value = option[2:].split("=")
            name["null_value" if key == "null" else key] = value
        got = by_recipe(path, *[f"--columns={','.join(columns)}"], *options)
        assert reference.same(got, loaded(path, **name)), columns

# SPDX-License-Identifier: Apache-2.0
"""Columns of arrow.fixed_shape_tensor, as pyarrow writes them."""

import json

import numpy as np
import pyarrow as pa
import pytest
from support import tables
from support.libmuster import FORMAT, UNSUPPORTED, Dataset
from support.reading import refused, said

ROWS = 23


def column(shape, order=None, type_="i4", seed=0, **options):
    """A column, and the values as they lie in it."""
    lying = np.random.default_rng(seed).integers(0, 100, (ROWS, *shape)).astype(type_)
    tensor = pa.fixed_shape_tensor(pa.from_numpy_dtype(lying.dtype), shape, permutation=order, **options)
    values = pa.array(lying.reshape(-1))
    lists = pa.FixedSizeListArray.from_arrays(values, int(np.prod(shape, dtype=int)))
    return pa.ExtensionArray.from_storage(tensor, lists), lying


def write(path, stream=False, compression=None, chunk=None, **columns):
    table = pa.table(columns)
    options = pa.ipc.IpcWriteOptions(compression=compression)
    new = pa.ipc.new_stream if stream else pa.ipc.new_file
    with new(path, table.schema, options=options) as writer:
        writer.write_table(table, chunk)
    return path


def check(path, expected, **options):
    with Dataset(path, **options) as dataset:
        assert dataset.shape == expected.shape and dataset.dtype == expected.dtype
        assert np.array_equal(dataset.load(threads=2)[0], expected)
        assert np.array_equal(dataset.read(3, 11), expected[3:11])
        into = np.zeros(expected.shape[::-1], expected.dtype).T
        assert np.array_equal(dataset.read_into(into, 0, len(expected)), expected)


@pytest.mark.parametrize("compression", [None, "zstd"])
@pytest.mark.parametrize("shape", [(2, 5), (3,), (2, 3, 4), (1, 7, 1)], ids=str)
def test_shapes(tmp_path, shape, compression):
    array, lying = column(shape, dim_names=[f"d{i}" for i in range(len(shape))])
    assert np.array_equal(array.to_numpy_ndarray(), lying)
    check(write(tmp_path / "x.arrow", a=array), lying)
    check(write(tmp_path / "y.arrows", True, compression, 10, a=array), lying)


@pytest.mark.parametrize("order", [[1, 0, 2], [2, 1, 0], [0, 2, 1], [0, 1, 2]], ids=str)
def test_permutations(tmp_path, order):
    array, lying = column((2, 3, 4), order)
    expected = lying.transpose(0, *[1 + axis for axis in order])
    assert np.array_equal(array.to_numpy_ndarray(), expected)
    check(write(tmp_path / "x.arrow", a=array), expected)


def test_axes_in_turn(tmp_path):
    """The format's own example: what lies as (100, 200, 500) with [2, 0, 1] is (500, 100, 200)."""
    array, lying = column((10, 20, 50), [2, 0, 1])
    expected = lying.transpose(0, 3, 1, 2)
    assert expected.shape == (ROWS, 50, 10, 20)
    check(write(tmp_path / "x.arrow", chunk=9, a=array), expected)


def test_several_columns(tmp_path):
    made = [column((2, 3), [1, 0], seed=seed) for seed in range(3)]
    expected = np.stack([lying.transpose(0, 2, 1) for _, lying in made], 1)
    path = write(tmp_path / "x.arrow", compression="lz4", **{f"c{i}": array for i, (array, _) in enumerate(made)})
    check(path, expected)
    check(path, expected[:, 1].astype("f8"), columns=["c1"], dtype="float64")


def test_nulls(tmp_path):
    tensor = pa.fixed_shape_tensor(pa.float32(), (2, 2), permutation=[1, 0])
    values = pa.array(np.arange(16, dtype="f4"), mask=np.arange(16) == 5)
    lists = pa.FixedSizeListArray.from_arrays(values, 4, mask=pa.array([False, False, True, False]))
    path = write(tmp_path / "x.arrow", a=pa.ExtensionArray.from_storage(tensor, lists))
    expected = np.arange(16, dtype="f4")
    expected[[5, 8, 9, 10, 11]] = np.nan
    with Dataset(path) as dataset:
        found = dataset.load()[0]
    assert np.array_equal(found, expected.reshape(4, 2, 2).transpose(0, 2, 1), equal_nan=True)


def test_the_same_axes_in_another_order(tmp_path):
    first, second = column((2, 3), [1, 0])[0], column((3, 2))[0]
    path = write(tmp_path / "x.arrow", a=first, b=second)
    said(refused(path, UNSUPPORTED), "'a' and 'b'", "another order", "--columns")


def by_hand(path, metadata, length=6):
    """Lists of so many numbers with such metadata of the extension."""
    lists = pa.FixedSizeListArray.from_arrays(pa.array(np.arange(length * ROWS, dtype="i4")), length)
    told = {"ARROW:extension:name": "arrow.fixed_shape_tensor", "ARROW:extension:metadata": metadata}
    schema = pa.schema([pa.field("a", lists.type, metadata=told)])
    with pa.ipc.new_stream(path, schema) as writer:
        writer.write_batch(pa.record_batch([lists], schema=schema))
    return path


BAD = [
    "", "[]", "{}", "{", '{"shape": 6}', '{"shape": [2, 4]}', '{"shape": [-2, -3]}', '{"shape": [2.0, 3]}',
    json.dumps({"shape": [1] * 17 + [6]}), json.dumps({"shape": [2**32, 2**32, 6]}),
    '{"shape": [2, 3], "permutation": [0]}', '{"shape": [2, 3], "permutation": [0, 0]}',
    '{"shape": [2, 3], "permutation": [1, 2]}', '{"shape": [2, 3], "permutation": "10"}',
]  # fmt: skip


def test_metadata_by_hand(tmp_path):
    lying = np.arange(6 * ROWS, dtype="i4")
    check(by_hand(tmp_path / "x.arrows", '{"shape": [3, 2], "permutation": null}'), lying.reshape(-1, 3, 2))
    check(by_hand(tmp_path / "x.arrows", '{"shape": []}', 1), np.arange(ROWS, dtype="i4"))
    for metadata in BAD:
        said(refused(by_hand(tmp_path / "x.arrows", metadata), FORMAT), "schema makes no sense")


@pytest.mark.parametrize("order", [None, [1, 0, 2], [2, 0, 1]], ids=str)
@pytest.mark.parametrize("columns", [1, 2])
def test_recipe(tmp_path, columns, order):
    made = [column((2, 3, 4), order, seed=seed) for seed in range(columns)]
    axes = [0, *(1 + axis for axis in order or range(3))]
    turned = [lying.transpose(axes) for _, lying in made]
    path = write(tmp_path / "x.arrow", chunk=10, **{f"c{i}": array for i, (array, _) in enumerate(made)})
    wanted = np.stack(turned, 1) if columns > 1 else turned[0]
    assert tables.same(tables.by_recipe(path, wanted), wanted)

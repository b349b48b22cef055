# SPDX-License-Identifier: Apache-2.0
"""What inspect shows of files with several arrays, and of tables, against what was written."""

import os

import h5py
import netCDF4
import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
import zarr
from support import cli

X = np.arange(6, dtype="f4").reshape(3, 2)
Y = np.arange(4, dtype="i8")


def write_hdf5(path):
    with h5py.File(path, "w") as file:
        file["a/x"], file["y"], file["text"] = X, Y, "words"
    return ["/a/x", "/y"]


def write_netcdf(path):
    with netCDF4.Dataset(path, "w") as file:
        for name, length in ("r", 3), ("c", 2), ("k", 4):
            file.createDimension(name, length)
        file.createVariable("x", "f4", ("r", "c"))[:] = X
        file.createVariable("y", "i8", ("k",))[:] = Y
    return ["/x", "/y"]


def write_npz(path):
    np.savez(path, x=X, y=Y)
    return ["x", "y"]


def write_zarr(path):
    group = zarr.open_group(path, mode="w")
    group.create_array("x", data=X)
    group.create_array("y", data=Y)
    return ["x", "y"]


WRITERS = {"h5": write_hdf5, "nc": write_netcdf, "npz": write_npz, "zarr": write_zarr}


def contents(entries):
    return {e["name"]: (e["shape"], e["dtype"], e["instead"], e["hidden"]) for e in entries}


@pytest.mark.parametrize("suffix", WRITERS)
def test_arrays_of_which_one_is_to_be_named(tmp_path, suffix):
    path = tmp_path / f"several.{suffix}"
    x, y = WRITERS[suffix](path)
    expected = {x: ([3, 2], "float32", None, False), y: ([4], "int64", None, False)}
    for options in [], ["--dataset=nowhere"]:
        got = cli.fails(1, "inspect", path, "--json", *options).json
        assert contents(got["contents"]) == expected and got["shape"] is None
        ran = cli.fails(1, "inspect", path, *options)
        head, *lines = ran.out.splitlines()
        assert head == f"arrays in {path}" and ran.err.count("\n") == 1
        assert {tuple(line.split("  ")[1:2]) for line in lines} == {(x,), (y,)}
        assert any("(3, 2)" in line and line.endswith("float32") for line in lines)
    named = cli.ok("inspect", path, f"--dataset={x}")
    shard = next(line for line in named.out.splitlines() if "the only one" in line)
    assert f"several.{suffix}: {x}, 3 rows" in shard
    assert cli.ok("inspect", path, f"--dataset={x}", "--json").json["contents"] is None


def test_an_array_that_cannot_be_read_is_told_among_the_others(tmp_path):
    path = tmp_path / "x.npz"
    np.savez(path, x=X, y=np.zeros(2, [("a", "i4"), ("b", "f4")]), z=Y)
    got = contents(cli.fails(1, "inspect", path, "--json").json["contents"])
    assert got["x"] == ([3, 2], "float32", None, False) and got["z"] == ([4], "int64", None, False)


TABLE = pa.table(
    {
        "id": pa.array([1, 2, 3], pa.int32()),
        "name": ["a", "b", "c"],
        "price": [1.0, 2.0, 3.0],
        "at": pa.array([[1, 2], [3, 4], [5, 6]], pa.list_(pa.float32(), 2)),
    }
)
COLUMNS = {
    "id": ([], "int32", None, False),
    "name": (None, None, "text", False),
    "price": ([], "float64", None, False),
    "at": ([2], "float32", None, False),
}


def test_columns(tmp_path):
    """Of a table that is taken, and of one that is not; keys of folders are columns when named."""
    pyarrow.feather.write_feather(TABLE, tmp_path / "t.feather")
    folder = tmp_path / "hive" / "year=2024" / "city=Ulm"
    folder.mkdir(parents=True)
    pq.write_table(TABLE, folder / "p.parquet")
    keys = {"year": ([], "int64", None, True), "city": (None, None, "text in the names of folders", True)}
    for path, expected in (tmp_path / "t.feather", COLUMNS), (tmp_path / "hive", COLUMNS | keys):
        good = cli.ok("inspect", path, "--columns=id,price", "--dtype=float64", "--json").json
        assert contents(good["contents"]) == expected and good["shape"] == [3, 2]
        bad = cli.fails(1, "inspect", path, "--json").json
        assert contents(bad["contents"]) == expected
    lines = cli.ok("inspect", tmp_path / "hive", "--columns=id").out.splitlines()
    after = [line.split() for line in lines[lines.index("columns") + 1 :]]
    assert after == [
        ["id", "int32"],
        ["name", "text"],
        ["price", "float64"],
        ["at", "float32", "(2,)"],
        ["year", "int64,", "when", "it", "is", "named"],
        ["city", "text", "in", "the", "names", "of", "folders"],
    ]
    assert cli.fails(1, "inspect", tmp_path / "t.feather").out.startswith("columns of ")


def test_many_arrays_are_cut(tmp_path):
    np.savez(tmp_path / "x.npz", **{f"n{'a' * i}": Y for i in range(230)})
    assert len(cli.fails(1, "inspect", tmp_path / "x.npz", "--json").json["contents"]) == 200
    assert cli.fails(1, "inspect", tmp_path / "x.npz").out.endswith("  and 30 more\n")


@pytest.mark.parametrize("names, said", [(["test/x", "train/x"], 1), (["r1/x", "r2/x"], 0)])
def test_arrays_without_numbers_are_ordered_by_name_which_is_told(tmp_path, names, said):
    for i in range(2):
        with h5py.File(tmp_path / f"f{i}.h5", "w") as file:
            for k, name in enumerate(names):
                file[name] = np.full(2, k)
    ran = cli.ok("inspect", tmp_path, "--dataset=*/x")
    assert ran.err.count("\n") == said and ran.err.count("f0.h5: its arrays: ") == said
    assert ran.err.count("ordered by name") == said
    assert [line.split()[2] for line in ran.out.splitlines() if ": /" in line] == [
        f"/{names[0]},",
        f"/{names[1]},",
        f"/{names[1]},",
    ]


def test_bytes_of_folders(tmp_path):
    write_zarr(tmp_path / "g.zarr")
    size = sum(os.path.getsize(os.path.join(d, f)) for d, _, files in os.walk(tmp_path) for f in files)
    got = cli.ok("inspect", tmp_path / "g.zarr", "--dataset=x", "--json").json
    assert (got["file_bytes"], got["folder_bytes"]) == (0, size)
    assert f"({size:,})" in cli.ok("inspect", tmp_path / "g.zarr", "--dataset=x").out

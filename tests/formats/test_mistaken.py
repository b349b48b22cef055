# SPDX-License-Identifier: Apache-2.0
"""Files and names that are not what was said: the error tells what they are, and the way out."""

import os

import h5py
import netCDF4
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zarr
from support import cli
from support.libmuster import FORMAT, MISMATCH, NOT_FOUND, UNSUPPORTED, Dataset
from support.reading import read, refused, said

A = np.arange(12, dtype="f4").reshape(6, 2)
ENDINGS = "npy npz h5 nc parquet arrow feather".split()


@pytest.fixture
def files(tmp_path):
    """One file of each format, under a name that tells nothing."""
    np.save(tmp_path / "x.npy", A)
    np.savez(tmp_path / "x.npz", a=A)
    table = pa.table({"a": A[:, 0]})
    pq.write_table(table, tmp_path / "x.parquet")
    with pa.ipc.new_file(tmp_path / "x.arrow", table.schema) as writer:
        writer.write_table(table)
    with h5py.File(tmp_path / "x.hdf5", "w") as file:
        file["a"] = A
    made = {}
    for format in "npy npz parquet arrow hdf5".split():
        made[format] = tmp_path / f"as-{format}"
        (tmp_path / f"x.{format}").rename(made[format])
    return made


@pytest.mark.parametrize("wanted", "npy npz parquet arrow hdf5 netcdf zarr".split())
def test_another_format_than_was_said(files, wanted):
    for found, path in files.items():
        if found == wanted or (found, wanted) == ("hdf5", "netcdf"):
            read(path, format=wanted)
        else:
            said(refused(path, MISMATCH, format=wanted), f"is {found}, not {wanted}", "--format")


def test_what_is_of_the_format_keeps_its_own_words(tmp_path):
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["text"] = ["a", "b"]
    for format in "hdf5", "netcdf":
        said(refused(tmp_path / "x.h5", UNSUPPORTED, format=format, dataset="text"), "strings")


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    "content, words",
    [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "git lfs pull"),
        (b"<!DOCTYPE html><title>404</title>" * 20, "a download has failed"),
        (b'<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', "a download has failed"),
        (b"\x1f\x8b\x08\0" + bytes(40), "gunzip"),
        (b"(\xb5/\xfd" + bytes(40), "unzstd"),
        (b"BZh9" + bytes(40), "bunzip2"),
        (b"\xfd7zXZ\0" + bytes(40), "unxz"),
        (b"\x80\x05\x95" + bytes(40), "never read"),
    ],
)
def test_what_stands_for_the_file(tmp_path, ending, content, words):
    (tmp_path / f"x.{ending}").write_bytes(content)
    said(refused(tmp_path / f"x.{ending}", UNSUPPORTED), words)


@pytest.mark.parametrize("ending", ENDINGS)
def test_empty_files(tmp_path, ending):
    (tmp_path / f"x.{ending}").touch()
    said(refused(tmp_path / f"x.{ending}", FORMAT), "is empty (0 bytes)")


def test_one_of_many(tmp_path):
    for i in range(3):
        np.save(tmp_path / f"x_{i}.npy", A)
    (tmp_path / "x_1.npy").write_bytes(b"version https://git-lfs.github.com/spec/v1\n")
    error = refused(tmp_path, UNSUPPORTED)
    said(error, "git lfs pull")
    assert error.name == "x_1.npy"


@pytest.mark.parametrize("kind", ["NETCDF3_CLASSIC", "NETCDF3_64BIT_DATA"])
@pytest.mark.parametrize("format", ["netcdf", "hdf5"])
def test_netcdf_3_by_any_option(tmp_path, kind, format):
    with netCDF4.Dataset(tmp_path / "x.nc", "w", format=kind) as file:
        file.createDimension("x", 2)
        file.createVariable("v", "f4", ("x",))[:] = 1
    said(refused(tmp_path / "x.nc", UNSUPPORTED, format=format), "NetCDF-3", "nccopy")


def test_links_that_lead_nowhere(tmp_path):
    for i in range(3):
        np.save(tmp_path / f"x_{i}.npy", A)
    os.symlink("/nowhere/at-all", tmp_path / "x_3.npy")
    said(refused(tmp_path / "x_3.npy", NOT_FOUND), "is a link to what is not there")
    for inputs in tmp_path, tmp_path / "x_*.npy":
        error = refused(inputs, NOT_FOUND)
        said(error, "cannot follow the link")
        assert error.name == "x_3.npy"


@pytest.mark.parametrize("url", ["s3://bucket/x.zarr", "https://host/x.npy", "s3://bucket/*.npy"])
def test_urls(url):
    said(refused(url, UNSUPPORTED), "remote stores are not read")


def test_urls_of_files():
    said(refused("file:///x.npy", NOT_FOUND), "named by their paths")


@pytest.mark.parametrize("version, name", [(2, ".zarray"), (3, "zarr.json")])
def test_the_metadata_instead_of_the_folder(tmp_path, version, name):
    zarr.create_array(tmp_path / "x", data=A, zarr_format=version)
    said(refused(tmp_path / "x" / name, UNSUPPORTED), "name the folder")


@pytest.mark.parametrize("ending", "npz h5 hdf5 nc parquet pq arrow feather zarr bin NPZ".split())
def test_results_are_not_named_as_what_they_are_not(tmp_path, ending):
    np.save(tmp_path / "x.npy", A)
    ran = cli.fails(2, "load", tmp_path / "x.npy", "-o", tmp_path / f"out.{ending}")
    assert "writes npy files" in ran.err and "ends in .npy" in ran.err and ran.err.count("\n") == 1
    assert os.listdir(tmp_path) == ["x.npy"]


def test_streams_that_were_joined(tmp_path):
    """Only the first is read, as pyarrow does it; that is said."""
    table = pa.table({"a": A[:, 0]})
    with pa.ipc.new_stream(tmp_path / "x.arrow", table.schema) as writer:
        writer.write_table(table)
    content = (tmp_path / "x.arrow").read_bytes()
    for whole in content, content[:-8]:
        (tmp_path / "x.arrow").write_bytes(whole)
        with Dataset(tmp_path / "x.arrow") as dataset:
            assert dataset.rows == 6 and not dataset.notes
    (tmp_path / "x.arrow").write_bytes(content * 2)
    with Dataset(tmp_path / "x.arrow") as dataset:
        (note,) = dataset.notes
        assert dataset.rows == 6 and f"{len(content)} bytes behind the end of the stream" in note


def test_more_than_the_disk_holds(tmp_path):
    """Is refused before it fills the disk."""
    words = "--rows=9999999999", "--row-shape=999999", "--dtype=f8"
    for format in "npy", "raw", "hdf5", "zarr":
        ran = cli.fails(1, "write", tmp_path / "x", f"--format={format}", *words)
        assert "takes 80.0 PB" in ran.err and "there is room for" in ran.err, ran.err
        assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("version", [2, 3])
def test_results_beside_an_array_that_is_a_folder(tmp_path, version):
    """The folder around it is no dataset."""
    zarr.create_array(tmp_path / "x.zarr", data=A, zarr_format=version)
    for name in "x.zarr", "x.zarr/":
        cli.ok("load", name, "-o", "x.npy", cwd=tmp_path)
        assert np.array_equal(np.load(tmp_path / "x.npy"), A)
        os.unlink(tmp_path / "x.npy")
    (tmp_path / "all").mkdir()
    (tmp_path / "x.zarr").rename(tmp_path / "all/x_0.zarr")
    assert "among the shards" in cli.fails(2, "load", "all", "-o", "all/x.npy", cwd=tmp_path).err


# ---- names of arrays and columns --------------------------------------------------------------------


def test_names_that_look_like_patterns(tmp_path):
    with h5py.File(tmp_path / "x.h5", "w") as file:
        for i, name in enumerate(["temp[K]", "tempK", "st*r", "star"]):
            file[name] = A + i
    for i, name in enumerate(["temp[K]", "tempK", "st*r", "star"]):
        assert np.array_equal(read(tmp_path / "x.h5", dataset=name), A + i), name
    assert np.array_equal(read(tmp_path / "x.h5", dataset="/st*r"), A + 2)


def test_patterns_that_match_nothing(tmp_path):
    np.savez(tmp_path / "x.npz", first=A, second=A)
    said(refused(tmp_path / "x.npz", NOT_FOUND, dataset="x*"), "'x*'", "there is first, second")


def test_lists_in_errors_hold_whole_names(tmp_path):
    """They are copied from there."""
    names = [f"a_rather_long_name_of_a_column_{i}" for i in range(15)]
    table = pa.table({name: [1.0] for name in names} | {f"t{name}": ["x"] for name in names})
    pq.write_table(table, tmp_path / "x.parquet")
    np.savez(tmp_path / "x.npz", **{name: A for name in names + ["z"]})
    text = refused(tmp_path / "x.parquet", UNSUPPORTED).message
    others, numbers = text.split(": ", 1)[1].split("; name the others: --columns ")
    for listed, known in (others, [f"t{name} (text)" for name in names]), (numbers, names):
        items, more = listed.split(" and ")
        items = items.replace(", ", ",").split(",")
        assert items == known[: len(items)] and more == f"{15 - len(items)} more", text
    text = refused(tmp_path / "x.npz", MISMATCH).message
    items, more = text.split("--dataset: ")[1].split(" and ")
    items = items.split(", ")
    assert items == names[: len(items)] and more == f"{16 - len(items)} more", text


@pytest.mark.parametrize("version", [2, 3])
def test_slashes_at_both_ends(tmp_path, version):
    group = zarr.open_group(tmp_path / "x", mode="w", zarr_format=version)
    group.create_array("a/b", data=A)
    group.create_array("c", data=A[:2])
    for name in "a/b", "/a/b", "a/b/", "/a/b/":
        assert np.array_equal(read(tmp_path / "x", dataset=name), A), name


def notes(inputs, **options):
    with Dataset(inputs, **options) as dataset:
        return [note for note in dataset.notes if "the only array" in note]


@pytest.mark.parametrize("format", ["hdf5", "npz", "zarr"])
def test_files_with_an_array_each_of_another_name(tmp_path, format):
    """They may be batches, with numbers; other names may be a mistake."""

    def put(i, name):
        if format == "npz":
            np.savez(tmp_path / f"part_{i}.npz", **{name: A})
        elif format == "zarr":
            zarr.open_group(tmp_path / f"part_{i}", mode="w").create_array(name, data=A)
        else:
            with h5py.File(tmp_path / f"part_{i}.h5", "w") as file:
                file[name] = A

    for i in range(3):
        put(i, f"x{9 + i}")
    assert not notes(tmp_path)
    put(3, "y")
    (note,) = notes(tmp_path)
    assert "x9" in note and "y: --dataset" in note and "part_3" in note


def test_columns_of_nothing_but_nulls(tmp_path):
    """As pandas writes an empty column."""
    pq.write_table(pa.table({"a": [1.5]}), tmp_path / "x_0.parquet")
    pq.write_table(pa.table({"a": pa.nulls(1)}), tmp_path / "x_1.parquet")
    error = refused(tmp_path, UNSUPPORTED)
    said(error, "nothing but nulls")
    assert error.name == "x_1.parquet"


def test_keys_that_are_null(tmp_path):
    for key in "1", "__HIVE_DEFAULT_PARTITION__":
        (tmp_path / f"y={key}").mkdir()
        pq.write_table(pa.table({"a": [1.5]}), tmp_path / f"y={key}" / "x.parquet")
    assert len(read(tmp_path)) == 2
    said(refused(tmp_path, UNSUPPORTED, columns=["y"]), "'y' is null in the names of folders")


@pytest.mark.parametrize("version", [2, 3])
def test_strict_does_not_say_that_chunks_become_the_fill_value(tmp_path, version):
    array = zarr.create_array(tmp_path / "x", shape=(20, 3), chunks=(5, 3), dtype="f4", zarr_format=version)
    for missing in "no chunk is there", "3 of 4 chunks are not there":
        for strict, words in (False, "the fill value"), (True, "an error where they are read"):
            with Dataset(tmp_path / "x", strict=strict) as dataset:
                (note,) = dataset.notes
                assert missing in note and note.endswith(words)
        array[5:7] = 1

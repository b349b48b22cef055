# SPDX-License-Identifier: Apache-2.0
"""HDF5: what users meet, written by h5py."""

import os
import re
import subprocess
import sys
from concurrent import futures

import h5py
import hdf5plugin
import numpy as np
import pytest
from support import cli, env
from support.libmuster import (
    CHANGED,
    FORMAT,
    MISMATCH,
    NOT_FOUND,
    UNSUPPORTED,
    Dataset,
    MusterError,
)

A = np.arange(60.0).reshape(12, 5)


def read(path, **options):
    with Dataset(path, **options) as dataset:
        return dataset.read()


def refused(path, **options):
    with pytest.raises(MusterError) as raised:
        read(path, **options)
    return raised.value


def same(found, expected):
    expected = np.asarray(expected)
    assert found.dtype == expected.dtype and found.shape == expected.shape
    np.testing.assert_array_equal(found, expected)


@pytest.fixture
def path(folder):
    return folder / "x.h5"


# ---- which dataset --------------------------------------------------------------------------------


@pytest.fixture
def many(folder):
    path = folder / "many.h5"
    with h5py.File(path, "w") as file:
        file["a"] = A
        group = file.create_group("g")
        group["b"] = A + 1
        group["again"] = file["a"]
        group["up"] = file["/"]
        group["soft"] = h5py.SoftLink("/a")
        group["loop"] = h5py.SoftLink("/g/loop")
        group["dangling"] = h5py.SoftLink("/not/there")
        file["elsewhere"] = h5py.ExternalLink("other.h5", "/x")
        file["text"] = "hello"
        file["records"] = np.zeros(3, [("x", "f4"), ("weight", "i4")])
        file["reference"] = file["a"].ref
        file["nothing"] = h5py.Empty("f4")
        file["number"] = 3.0
        file.create_dataset("ragged", (2,), h5py.vlen_dtype(np.int32))
    return path


def test_datasets_of_numbers_are_listed_once(many):
    error = refused(many)
    assert error.status == MISMATCH and "--dataset: /a, /number, /g/b" in error.message


@pytest.mark.parametrize("name", ["a", "/a", "g/soft", "g/again", "g/up/a"])
def test_a_dataset_by_its_name(many, name):
    same(read(many, dataset=name), A)


def test_a_name_that_is_not_there(many):
    for name in ["b", "g", "g/loop", "g/dangling"]:
        error = refused(many, dataset=name)
        assert error.status == NOT_FOUND and "there is /a, /number, /g/b" in error.message


def test_external_links_are_not_followed(many):
    with h5py.File(many.parent / "other.h5", "w") as file:
        file["x"] = A
    error = refused(many, dataset="elsewhere")
    assert error.status == UNSUPPORTED and "open other.h5 with --dataset /x" in error.message


@pytest.mark.parametrize(
    "name, words",
    [
        ("text", "strings"),
        ("records", "records, not numbers: .*: x, weight"),
        ("reference", "references"),
        ("ragged", "lists of different lengths"),
        ("nothing", "is empty"),
    ],
)
def test_what_are_no_numbers(many, name, words):
    error = refused(many, dataset=name)
    assert error.status == UNSUPPORTED
    assert re.search(words, error.message)


def test_a_single_number_has_no_rows(many):
    assert "--stack" in refused(many, dataset="number").message
    same(read(many, dataset="number", stack=True), [3.0])


def test_numbered_datasets_are_shards(path):
    with h5py.File(path, "w") as file:
        for i in reversed(range(12)):
            file[f"step_{i}"] = A + i
    same(read(path), np.concatenate([A + i for i in range(12)]))
    assert refused(path, dataset="step_1*").path == str(path)
    same(read(path, dataset="step_1*", allow_gaps=True), np.concatenate([A + i for i in (1, 10, 11)]))
    same(read(path, stack=True), np.stack([A + i for i in range(12)]))


def test_many_files(folder):
    for i in range(30):
        with h5py.File(folder / f"part-{i}.h5", "w") as file:
            file.create_dataset("x", data=A[: i % 5] + i, chunks=(2, 2), maxshape=(None, 5))
    expected = np.concatenate([A[: i % 5] + i for i in range(30)])
    with Dataset(folder, threads=4) as dataset:
        assert dataset.rows == len(expected)
        same(dataset.load(threads=3)[0], expected)


# ---- elements -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "stored, expected",
    [
        (np.array([True, False]), np.array([True, False])),
        (np.array([1, 7], h5py.enum_dtype({"A": 1, "B": 7}, "<i2")), np.array([1, 7], "i2")),
        (np.array([1, 0], h5py.enum_dtype({"NO": 0, "YES": 1}, "i1")), np.array([1, 0], "i1")),
        (np.array([1.5, -2], ">f2"), np.array([1.5, -2], "f2")),
        (np.array([1 + 2j], ">c8"), np.array([1 + 2j], "c8")),
        (np.array([2], "M8[ns]").astype(h5py.opaque_dtype("M8[ns]")), np.array([2], "M8[ns]")),
        (np.zeros(3, h5py.opaque_dtype("m8[D]")), np.zeros(3, "m8[D]")),
    ],
)
@pytest.mark.parametrize("layout", [{}, {"chunks": True}])
def test_elements(path, stored, expected, layout):
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=stored, **layout)
    same(read(path), expected)


def test_elements_that_are_arrays(path):
    data = np.arange(60, dtype="i4").reshape(10, 2, 3)
    with h5py.File(path, "w") as file:
        for name, chunks in [("flat", None), ("chunked", (3,))]:
            dataset = file.create_dataset(name, (10,), np.dtype(("i4", (2, 3))), chunks=chunks)
            dataset[...] = data
    same(read(path, dataset="flat"), data)
    same(read(path, dataset="chunked"), data)


def integers_of(bits, size):
    """A signed integer type of fewer bits than it has room for."""
    kind = h5py.h5t.NATIVE_INT32.copy()
    kind.set_size(size)
    kind.set_precision(bits)
    return kind


def test_odd_integers_are_left_to_the_library(path):
    data = np.array([-2048, 2047, 0, 5], "i2")
    with h5py.File(path, "w") as file:
        space = h5py.h5s.create_simple((4,))
        dataset = h5py.h5d.create(file.id, b"x", integers_of(12, 2), space)
        dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, data)
    same(read(path), data)


# ---- layouts --------------------------------------------------------------------------------------


def low_level(path, data, make, **options):
    """A dataset whose creation list `make` changes."""
    with h5py.File(path, "w", **options) as file:
        creation = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        make(creation)
        space = h5py.h5s.create_simple(data.shape)
        kind = h5py.h5t.py_create(data.dtype)
        dataset = h5py.h5d.create(file.id, b"x", kind, space, creation)
        dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, data)


def test_compact(path):
    low_level(path, A, lambda creation: creation.set_layout(h5py.h5d.COMPACT))
    same(read(path), A)
    with Dataset(path) as dataset:
        same(dataset.read(3, 7), A[3:7])


def test_a_chunk_that_no_filter_shrank(path):
    """Its filter mask says that it was stored as it is."""
    with h5py.File(path, "w") as file:
        dataset = file.create_dataset("x", (8, 5), "f8", chunks=(4, 5), compression="gzip", shuffle=True)
        dataset.id.write_direct_chunk((0, 0), A[:4].tobytes(), filter_mask=0b11)
        dataset[4:] = A[4:8]
    same(read(path), A[:8])


def test_edges_that_are_not_filtered(path):
    """H5D_CHUNK_DONT_FILTER_PARTIAL_CHUNKS, which h5py does not offer: by the library of HDF5."""
    program = env.SOURCE / "tests/support/partial_chunks.py"
    status = subprocess.run([sys.executable, program, path]).returncode
    if status == 77:
        pytest.skip("the library of HDF5 is not there")
    assert status == 0
    same(read(path), np.arange(35, dtype="i4").reshape(7, 5))


def test_fill_values(path):
    with h5py.File(path, "w") as file:
        file.create_dataset("late", (4, 3), "f4", fillvalue=7)
        file.create_dataset("default", (4, 3), "i2")
        chunked = file.create_dataset("chunked", (10, 3), ">f8", chunks=(4, 2), fillvalue=-1.5)
        chunked[:3, :1] = 9
        file.create_dataset("undefined", (6,), "i4", chunks=(2,), fill_time="never")
    same(read(path, dataset="late"), np.full((4, 3), 7, "f4"))
    same(read(path, dataset="default"), np.zeros((4, 3), "i2"))
    expected = np.full((10, 3), -1.5)
    expected[:3, :1] = 9
    same(read(path, dataset="chunked"), expected)
    same(read(path, dataset="undefined"), np.zeros(6, "i4"))


@pytest.mark.parametrize("libver", ["earliest", ("v110", "v110")])
@pytest.mark.parametrize("early", [True, False])
def test_allocation_of_chunks(path, libver, early):
    def make(creation):
        creation.set_chunk((3, 2))
        creation.set_alloc_time(h5py.h5d.ALLOC_TIME_EARLY if early else h5py.h5d.ALLOC_TIME_LATE)

    low_level(path, A, make, libver=libver)
    same(read(path), A)


@pytest.mark.parametrize(
    "libver, filters", [("earliest", {"compression": "gzip"}), (("v110", "v110"), {})]
)
def test_a_hundred_thousand_chunks(path, libver, filters):
    data = np.arange(400000.0).reshape(100000, 4)
    with h5py.File(path, "w", libver=libver) as file:
        file.create_dataset("x", data=data, chunks=(1, 4), maxshape=(None, 4), **filters)
    with Dataset(path) as dataset:
        same(dataset.load(threads=2)[0], data)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0)])
def test_no_elements(path, shape):
    with h5py.File(path, "w") as file:
        file.create_dataset("x", shape, "f4", maxshape=(None, None), chunks=(2, 2))
        file.create_dataset("y", shape, "f4")
    same(read(path, dataset="x"), np.zeros(shape, "f4"))
    same(read(path, dataset="y"), np.zeros(shape, "f4"))


def test_many_threads_at_once(path):
    """Some read one dataset, others open files and close them."""
    data = np.arange(40000, dtype="i8").reshape(4000, 10)
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=data, chunks=(90, 7), compression="gzip")

    def work(number):
        for k in range(20):
            lo = (number * 977 + k * 131) % 3900
            same(dataset.read(lo, lo + 100), data[lo : lo + 100])
            if k % 5 == 0:
                same(read(path), data)
        return True

    with Dataset(path) as dataset, futures.ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))


# ---- filters --------------------------------------------------------------------------------------


def test_a_checksum_that_is_wrong(path):
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=A, chunks=(12, 5), fletcher32=True)
        offset = file["x"].id.get_chunk_info(0).byte_offset
    content = bytearray(path.read_bytes())
    content[offset + 100] ^= 1
    path.write_bytes(content)
    error = refused(path)
    assert error.status == FORMAT and "checksum" in error.message


def test_a_filter_that_is_not_there_is_named(path):
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=A, chunks=True, **hdf5plugin.Blosc2())
    ran = cli.run("inspect", path)
    assert ran.status == 1 and "filter 32026 (blosc2)" in ran.err and "hdf5plugin" in ran.err


@pytest.mark.parametrize("filters", [hdf5plugin.Blosc2(), hdf5plugin.BZip2(), hdf5plugin.Zfp(reversible=True)])
def test_filters_of_plugins(path, filters):
    """By the library's own way to find them, in a process that has not read them before."""
    data = np.arange(3000, dtype="f4").reshape(100, 30)
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=data, chunks=(40, 30), **filters)
    output = path.with_suffix(".npy")
    ran = cli.run("load", path, "-o", output, env={"HDF5_PLUGIN_PATH": hdf5plugin.PLUGIN_PATH})
    assert ran.status == 0, ran.err
    same(np.load(output), data)


# ---- other files ----------------------------------------------------------------------------------


def virtual(path, sources):
    layout = h5py.VirtualLayout((4 * len(sources), 5), "f8")
    for i, source in enumerate(sources):
        layout[4 * i : 4 * i + 4] = h5py.VirtualSource(source, "x", shape=(4, 5))
    with h5py.File(path, "w") as file:
        file.create_virtual_dataset("v", layout, fillvalue=-1)


@pytest.fixture
def sources(folder):
    (folder / "parts").mkdir()
    for i in range(3):
        with h5py.File(folder / f"parts/s{i}.hdf", "w") as file:
            file["x"] = A[4 * i : 4 * i + 4]
    return folder / "parts"


def test_virtual_datasets(sources):
    path = sources / "v.h5"
    virtual(path, ["s0.hdf", "s1.hdf", "s2.hdf"])
    same(read(path), A)
    with Dataset(path) as dataset:
        into = np.zeros((7, 10))[:, ::2]
        same(dataset.read_into(into, 2, 9), A[2:9])


def test_a_source_that_is_not_there(sources):
    path = sources / "v.h5"
    virtual(path, ["s0.hdf", "s7.hdf"])
    error = refused(path)
    assert error.status == NOT_FOUND and "s7.hdf" in error.message
    virtual(path, ["s0.hdf", "s1.hdf"])
    with h5py.File(sources / "s1.hdf", "w") as file:
        file["y"] = A
    error = refused(path)
    assert error.status == NOT_FOUND and "dataset x of" in error.message


def test_a_source_that_vanishes(sources):
    path = sources / "v.h5"
    virtual(path, ["s0.hdf", "s1.hdf"])
    with Dataset(path) as dataset:
        os.remove(sources / "s1.hdf")
        with pytest.raises(MusterError) as raised:
            dataset.read()
        assert raised.value.status == CHANGED


def test_sources_of_sources(sources):
    virtual(sources / "inner.hdf", ["s0.hdf", "s1.hdf"])
    layout = h5py.VirtualLayout((8, 5), "f8")
    layout[:] = h5py.VirtualSource("inner.hdf", "v", shape=(8, 5))
    with h5py.File(sources / "v.h5", "w") as file:
        file.create_virtual_dataset("v", layout, fillvalue=-1)
    same(read(sources / "v.h5"), A[:8])
    os.remove(sources / "s1.hdf")
    assert "s1.hdf" in refused(sources / "v.h5").message


def test_sources_outside_the_folder(sources):
    path = sources.parent / "out" / "v.h5"
    path.parent.mkdir()
    virtual(path, ["../parts/s0.hdf"])
    error = refused(path)
    assert error.status == UNSUPPORTED and "--follow-external" in error.message
    same(read(path, follow_external=True), A[:4])
    (path.parent / "link.hdf").symlink_to(sources / "s0.hdf")
    virtual(path, ["link.hdf"])
    assert refused(path).status == UNSUPPORTED


def test_external_files(folder):
    path = folder / "x.h5"
    (folder / "one.bin").write_bytes(A[:5].tobytes())
    (folder / "two.bin").write_bytes(b"12345678" + A[5:].tobytes())
    parts = [("one.bin", 0, 200), ("two.bin", 8, h5py.h5f.UNLIMITED)]
    with h5py.File(path, "w") as file:
        file.create_dataset("x", A.shape, "f8", external=parts)
    same(read(path), A)
    with open(folder / "two.bin", "r+b") as file:
        file.truncate(280)
    assert "truncated" in refused(path).message
    os.remove(folder / "two.bin")
    error = refused(path)
    assert error.status == NOT_FOUND and "two.bin" in error.message


def test_external_files_outside_the_folder(folder, tmp_path):
    (tmp_path / "away.bin").write_bytes(A.tobytes())
    for name in [str(tmp_path / "away.bin"), "../away.bin"]:
        with h5py.File(folder / "x.h5", "w") as file:
            file.create_dataset("x", A.shape, "f8", external=[(name, 0, h5py.h5f.UNLIMITED)])
        assert "--follow-external" in refused(folder / "x.h5").message
        same(read(folder / "x.h5", follow_external=True), A)


# ---- files ----------------------------------------------------------------------------------------


def test_a_file_that_is_cut(path):
    with h5py.File(path, "w") as file:
        file["x"] = A
    content = path.read_bytes()
    path.write_bytes(content[:-100])
    error = refused(path)
    assert error.status == FORMAT and "truncated" in error.message


def test_a_file_of_a_newer_library(path):
    with h5py.File(path, "w", libver="latest") as file:
        file.create_dataset("x", data=A, chunks=(4, 5), compression="gzip")
    error = refused(path)
    assert "the HDF5 library 1." in error.message and "h5repack" in error.message and "version" in error.message


def test_a_file_that_is_being_written(path):
    """By another process, which holds its lock and says so in the file."""
    program = (
        "import h5py, sys; file = h5py.File(sys.argv[1], 'w', libver=('v110', 'v110'));"
        "file['x'] = [1.0, 2.0]; file.swmr_mode = True; print('ready', flush=True); sys.stdin.read()"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", program, path], **pipes) as writer:
        assert writer.stdout.readline() == b"ready\n"
        error = refused(path)
        assert "open for writing" in error.message and "h5clear" in error.message
        writer.stdin.close()
    same(read(path), [1.0, 2.0])


def test_a_lock_of_another_process_does_not_matter(path):
    with h5py.File(path, "w") as file:
        file["x"] = A
    with h5py.File(path, "r+") as file:
        same(read(path), A)


def test_the_environment_stays_as_it_is(path):
    with h5py.File(path, "w") as file:
        file["x"] = A
    before = dict(os.environ)
    same(read(path), A)
    assert dict(os.environ) == before and "HDF5_USE_FILE_LOCKING" not in before


def test_names_of_all_kinds(folder):
    for name in ["with space.h5", "ünï.h5", "new\nline.h5"]:
        with h5py.File(folder / name, "w") as file:
            file.create_dataset("x", data=A, chunks=(5, 5))
        same(read(folder / name), A)


# ---- writing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", "bool i1 u2 i4 >i8 f2 f4 >f8 c8 >c16 <f16".split() + ["M8[ns]", "m8[D]"])
def test_what_muster_writes_h5py_reads(folder, dtype):
    out = folder / "written"
    arguments = ["--rows", 100, "--shards", 3, "--row-shape", "3", "--dtype", dtype]
    ran = cli.run("write", out, "--format", "hdf5", *arguments)
    assert ran.status == 0, ran.err
    assert cli.run("verify", out).status == 0
    found = []
    for name in sorted(p for p in os.listdir(out) if p.endswith(".h5")):
        with h5py.File(out / name) as file:
            assert list(file) == ["data"]
            found.append(file["data"][...])
    result = folder / "all.npy"
    assert cli.run("load", out, "-o", result).status == 0
    expected = np.load(result)
    found = np.concatenate(found)
    assert found.dtype.newbyteorder("=") == expected.dtype
    assert found.astype(expected.dtype).tobytes() == expected.tobytes() or dtype == "<f16"


def test_the_recipe_reads_it(folder):
    with h5py.File(folder / "x.h5", "w") as file:
        file["we\"ird"] = A
    ran = cli.run("recipe", folder / "x.h5")
    assert ran.status == 0 and '''h5py.File(path, "r")['/we"ird']''' in ran.out

# SPDX-License-Identifier: Apache-2.0
"""npz archives, as NumPy and zipfile write them."""

import io
import struct
import zipfile

import numpy as np
import pytest
from support import cli, stand_ins, tables
from support.libmuster import FORMAT, MISMATCH, NOT_FOUND, UNSUPPORTED, Dataset, MusterError
from support.reading import refused, said

DTYPES = ["?", "i1", "<i4", ">i8", "u2", "f2", "<f4", ">f8", "c8", "c16", "M8[us]", "m8[D]", "g"]


def random_array(rng, shape, dtype):
    count = int(np.prod(shape, dtype=int))
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    if dtype.char == "g":
        return rng.standard_normal(shape).astype(dtype)
    return np.frombuffer(rng.bytes(count * dtype.itemsize), dtype).reshape(shape)


def save(path, compressed=False, **arrays):
    (np.savez_compressed if compressed else np.savez)(path, **arrays)
    return path


def native(array):
    return array.astype(array.dtype.newbyteorder("="))


@pytest.mark.parametrize("index", range(tables.CASES))
def test_random_archives(folder, index):
    rng = tables.rng_of(index)
    dtype = DTYPES[index % len(DTYPES)]
    rank = int(rng.integers(1, 4))
    trailing = [int(n) for n in rng.integers(1, 6, rank - 1)]
    name = ["arr_0", "x", "größe", "a/b"][int(rng.integers(0, 4))]
    parts = []
    for shard in range(int(rng.integers(1, 4))):
        rows = int(rng.choice([0, 1, 7, 100, 3000]))
        array = np.asarray(random_array(rng, [rows, *trailing], dtype), order=rng.choice(["C", "F"]))
        others = {"text": np.array(["a", "b"])} if rng.integers(0, 2) else {}
        save(folder / f"part_{shard}.npz", bool(rng.integers(0, 2)), **others, **{name: array})
        with np.load(folder / f"part_{shard}.npz") as archive:
            parts.append(native(archive[name]))
    tables.compare(rng, folder, np.concatenate(parts))


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("shape", [(), (3,), (4, 5), (2, 3, 4)])
@pytest.mark.parametrize("order", "CF")
def test_stack(folder, compressed, shape, order):
    arrays = [np.asarray(np.random.default_rng(i).random(shape), order=order) for i in range(3)]
    for i, array in enumerate(arrays):
        save(folder / f"{i}.npz", compressed, x=array)
    tables.compare(tables.rng_of(0), folder, np.stack(arrays), stack=True)


@pytest.mark.parametrize("compressed", [False, True])
def test_numbered_members_are_shards(folder, compressed):
    arrays = [np.arange(5 * i, dtype="i4").reshape(-1, 5) for i in range(12)]
    path = folder / "x.npz"
    (np.savez_compressed if compressed else np.savez)(path, *arrays)
    tables.compare(tables.rng_of(1), path, np.concatenate(arrays))
    with Dataset(path, dataset="arr_11") as dataset:
        assert tables.same(dataset.read(), arrays[11])
    with Dataset(path, dataset="arr_1*", allow_gaps=True) as dataset:
        assert tables.same(dataset.read(), np.concatenate([arrays[1], arrays[10], arrays[11]]))
    said(refused(path, NOT_FOUND, dataset="y"), "no array 'y'", "arr_0")


def test_several_members_must_be_named(folder):
    save(folder / "x.npz", train=np.ones(3), test=np.ones(4))
    said(refused(folder / "x.npz", MISMATCH), "holds 2 arrays", "--dataset", "train, test")


def test_zip64_and_descriptors(folder):
    array = np.arange(1000.0)
    content = io.BytesIO()
    np.save(content, array)
    with zipfile.ZipFile(folder / "a.npz", "w") as archive:
        with archive.open("x.npy", "w", force_zip64=True) as file:
            file.write(content.getvalue())

    class Pipe(io.RawIOBase):
        """Cannot seek: sizes follow the data."""

        def __init__(self, file):
            self.file = file

        def writable(self):
            return True

        def write(self, data):
            return self.file.write(data)

    for name, method in ("b", zipfile.ZIP_STORED), ("c", zipfile.ZIP_DEFLATED):
        with open(folder / f"{name}.npz", "wb") as file:
            with zipfile.ZipFile(Pipe(file), "w", method) as archive:
                archive.writestr("x.npy", content.getvalue())
    for name in "abc":
        tables.compare(tables.rng_of(2), folder / f"{name}.npz", array)


def with_zip64_end(content):
    """The same archive with a zip64 record of its end, and escapes in the old one."""
    at = content.rindex(b"PK\5\6")
    count, = struct.unpack_from("<H", content, at + 10)
    size, offset = struct.unpack_from("<II", content, at + 12)
    record = b"PK\6\6" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, count, count, size, offset)
    locator = b"PK\6\7" + struct.pack("<IQI", 0, at, 1)
    end = b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 65535, 65535, 2**32 - 1, 2**32 - 1, 0)
    return content[:at] + record + locator + end


def test_zip64_end(folder):
    array = np.arange(77.0)
    path = save(folder / "x.npz", x=array)
    path.write_bytes(with_zip64_end(path.read_bytes()))
    with np.load(path) as archive:
        assert tables.same(archive["x"], array)
    tables.compare(tables.rng_of(3), path, array)


def test_something_before_and_a_comment(folder):
    path = save(folder / "x.npz", True, x=np.arange(9))
    with zipfile.ZipFile(path, "a") as archive:
        archive.comment = b"PK\5\6 a comment" + bytes(50)
    path.write_bytes(b"#!/bin/sh\n" + path.read_bytes())
    with Dataset(path, format="npz") as dataset:
        assert tables.same(dataset.read(), np.arange(9))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_methods(folder, method):
    with zipfile.ZipFile(folder / "x.npz", "w", method) as archive:
        content = io.BytesIO()
        np.save(content, np.ones(3))
        archive.writestr("x.npy", content.getvalue())
    said(refused(folder / "x.npz", UNSUPPORTED), "method", "savez_compressed")


def test_encrypted(folder):
    content = bytearray(save(folder / "x.npz", x=np.ones(3)).read_bytes())
    content[content.rindex(b"PK\1\2") + 8] |= 1
    (folder / "x.npz").write_bytes(content)
    said(refused(folder / "x.npz", UNSUPPORTED), "encrypted")


@pytest.mark.parametrize("compressed", [False, True])
def test_objects_and_text(folder, compressed):
    save(folder / "x.npz", compressed, x=np.array([{}], object))
    said(refused(folder / "x.npz", UNSUPPORTED), "x.npy", "object")
    save(folder / "x.npz", compressed, x=np.array(["a"]))
    said(refused(folder / "x.npz", UNSUPPORTED), "x.npy")
    save(folder / "x.npz", compressed)
    said(refused(folder / "x.npz", NOT_FOUND, format="npz"), "no array")


def test_twice(folder):
    content = io.BytesIO()
    np.save(content, np.ones(3))
    with zipfile.ZipFile(folder / "x.npz", "w") as archive:
        archive.writestr("x.npy", content.getvalue())
        with pytest.warns(UserWarning):
            archive.writestr("x.npy", content.getvalue())
    said(refused(folder / "x.npz", FORMAT, dataset="x"), "more than once")


def test_wrong_checksum(folder):
    path = save(folder / "x.npz", True, x=np.arange(1000))
    content = bytearray(path.read_bytes())
    content[content.rindex(b"PK\1\2") + 16] ^= 1
    path.write_bytes(content)
    with Dataset(path) as dataset:
        with pytest.raises(MusterError, match="checksum"):
            dataset.read()


@pytest.mark.parametrize("size", [2**31, 2**32 - 2])
def test_bomb(folder, size):
    """A directory that promises more than deflate can make of so few bytes."""
    path = save(folder / "x.npz", True, x=np.zeros(100))
    content = bytearray(path.read_bytes())
    struct.pack_into("<I", content, content.rindex(b"PK\1\2") + 24, size)
    path.write_bytes(content)
    said(refused(path, FORMAT), "cannot be")


@pytest.mark.parametrize("name", ["x", "it's"])
def test_recipe(folder, name):
    path = save(folder / "x.npz", y=np.array(["text"]), **{name: np.arange(6).reshape(2, 3)})
    wanted = np.arange(6).reshape(2, 3)
    assert tables.same(tables.by_recipe(path, wanted), wanted)
    assert tables.same(tables.by_recipe(path, wanted, "--stack"), wanted[np.newaxis])


def test_recipe_of_members(folder):
    """Not the same in all files, or several in one."""
    np.savez(folder / "x_0.npz", np.arange(3.0), np.zeros(0), np.arange(3.0, 7))
    np.savez(folder / "x_1.npz", a_b=np.arange(7.0, 8))
    text = cli.ok("recipe", folder, "--quiet").out
    assert stand_ins.run(text)["FILES"] == [f"{folder}/x_{name}" for name in ("0.npz::arr_0", "0.npz::arr_2", "1.npz::a_b")]
    assert np.array_equal(stand_ins.run(text)["array"], np.arange(8.0))
    one = cli.ok("recipe", folder / "x_0.npz", "--dataset=arr_2", "--quiet").out
    assert "::" not in one and np.array_equal(stand_ins.run(one)["array"], np.arange(3.0, 7))


@pytest.mark.parametrize("name", [":0", "a::0"])
def test_recipe_of_members_with_colons(folder, name):
    save(folder / "x.npz", **{name: np.ones(3), name.replace("0", "1"): np.zeros(3)})
    assert "colons" in cli.fails(1, "recipe", folder / "x.npz").err
    alone = cli.ok("recipe", folder / "x.npz", f"--dataset={name}", "--quiet").out
    assert np.array_equal(stand_ins.run(alone)["array"], np.ones(3))


@pytest.mark.parametrize("compressed", [False, True])
def test_cut_anywhere(folder, compressed):
    path = save(folder / "x.npz", compressed, x=np.arange(60, dtype="i2").reshape(20, 3))
    content = path.read_bytes()
    for length in range(0, len(content), 1 if tables.SOAK else 5):
        path.write_bytes(content[:length])
        assert tables.outcome(path) == FORMAT, length


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("order", "CF")
def test_damage(folder, compressed, order):
    rng = tables.rng_of(4)
    array = np.asarray(rng.integers(0, 9, (40, 5)), order=order)
    path = save(folder / "x.npz", compressed, x=array, y_0=np.array(["text"]))
    content = path.read_bytes()
    for copy in tables.damaged(rng, content, tables.DAMAGED // 4):
        path.write_bytes(copy)
        found = tables.outcome(path)
        if isinstance(found, np.ndarray) and compressed and found.shape == array.shape:
            # What was read as a whole has the right checksum.
            assert found.dtype != array.dtype or tables.same(found, array) or order == "F"

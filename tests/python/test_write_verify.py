# SPDX-License-Identifier: Apache-2.0
"""write, verify, seal and clean: values by the documented formulas, faults by our own hand."""

import ctypes
import json
import os

import numpy as np
import pytest
from support import libmuster, reference
from support.libmuster import (
    CHANGED,
    CHECK,
    EXISTS,
    NOT_FOUND,
    UNSUPPORTED,
    USAGE,
    Dataset,
    MusterError,
)

DTYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128 "
    "datetime64[ns] timedelta64[25s] >f4 >i8 >c8 >M8[D]"
).split()


def raises(status, function, *arguments, **options):
    statuses = (status,) if isinstance(status, str) else status
    with pytest.raises(MusterError) as error:
        function(*arguments, **options)
    assert error.value.status in statuses, error.value
    return error.value


def shard_files(folder):
    with Dataset(folder) as dataset:
        return [path for path, *_ in dataset.shards]


def read_raw(folder, dtype):
    return np.concatenate([np.fromfile(path, dtype) for path in shard_files(folder)])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("format", ["npy", "raw"])
def test_written_values_are_the_documented_ones(tmp_path, dtype, format):
    folder = tmp_path / "new"
    libmuster.write(
        folder, format=format, dtype=dtype, rows=101, shards=4, row_shape=(3, 2), seed=2**63 + 7
    )
    expected = reference.written(2**63 + 7, dtype, 101, (3, 2))
    if format == "npy":
        parts = [np.load(path) for path in shard_files(folder)]
        assert all(part.dtype.str == np.dtype(dtype).str for part in parts)
        got = np.concatenate(parts)
    else:
        got = read_raw(folder, dtype).reshape(expected.shape)
    assert reference.same(reference.native(got), expected)
    with Dataset(folder) as dataset:
        assert reference.same(dataset.read(), expected)
    assert libmuster.verify(folder).cells == expected.size


@pytest.mark.parametrize("dtype", ["longdouble", "clongdouble"])
def test_written_long_doubles_verify(tmp_path, dtype):
    """Their padding bytes make a comparison of bytes too strict."""
    libmuster.write(tmp_path / "new", dtype=dtype, rows=50, shards=2, seed=3)
    with Dataset(tmp_path / "new") as dataset:
        values = dataset.read()
    assert np.array_equal(
        values.astype("c16"), reference.written(3, "c16" if dtype[0] == "c" else "f8", 50)
    )
    assert libmuster.verify(tmp_path / "new").wrong_cells == 0


SHAPES = [
    {"rows": 10, "shards": 3, "equal": True},
    {"rows": 10, "shards": 1},
    {"rows": 2, "shards": 7},
    {"rows": 0, "shards": 3},
    {"rows": 1000, "shards": 11},
    {"rows": 12, "shard_rows": [0, 5, 0, 7]},
    {"rows": 20, "shards": 2, "row_shape": (0,)},
    {"rows": 5, "shards": 2, "row_shape": (1, 2, 3, 4)},
]


@pytest.mark.parametrize("options", SHAPES, ids=str)
@pytest.mark.parametrize("format", ["npy", "raw"])
def test_any_split_holds_the_same_array(tmp_path, options, format):
    folder = tmp_path / "new"
    libmuster.write(folder, format=format, dtype="i4", seed=5, **options)
    expected = reference.written(5, "i4", options["rows"], options.get("row_shape", ()))
    with Dataset(folder) as dataset:
        assert reference.same(dataset.read(), expected)
        sizes = [rows for _, rows, *_ in dataset.shards]
    if "shard_rows" in options:
        assert sizes == options["shard_rows"]
    elif options.get("equal"):
        assert sizes == [4, 3, 3]
    assert len(sizes) == len(options.get("shard_rows", sizes)) and sum(sizes) == options["rows"]
    assert libmuster.verify(folder).wrong_cells == 0


def test_the_same_options_give_the_same_bytes(tmp_path):
    def content(name, **options):
        libmuster.write(tmp_path / name, dtype="f4", rows=1000, shards=7, row_shape=(3,), **options)
        return {n: (tmp_path / name / n).read_bytes() for n in sorted(os.listdir(tmp_path / name))}

    first = content("a", seed=1, threads=1)
    assert content("b", seed=1, threads=8) == first
    assert content("c", seed=2, threads=1) != first
    assert len({len(v) for n, v in first.items() if n.endswith(".npy")}) > 1, (
        "unequal rows were asked for"
    )


def test_an_existing_folder_is_refused_and_left(tmp_path):
    (tmp_path / "keep").write_text("mine")
    error = raises(EXISTS, libmuster.write, tmp_path, rows=10, shards=1)
    assert error.path == str(tmp_path) and os.listdir(tmp_path) == ["keep"]
    raises(EXISTS, libmuster.write, tmp_path / "keep", rows=10, shards=1)
    assert (tmp_path / "keep").read_text() == "mine"


@pytest.mark.parametrize(
    "options",
    [
        {"format": "hdf6"},
        {"format": "null"},
        {"dtype": "float31"},
        {"dtype": "bfloat16"},
        {"dtype": "object"},
        {"shards": 0},
        {"rows": 2**63, "row_shape": (2**32,)},
        {"row_shape": (1,) * 64},
        {"shard_rows": [2**63, 2**63]},
    ],
    ids=str,
)
def test_writes_that_make_no_sense(tmp_path, options):
    raises(
        (USAGE, UNSUPPORTED, libmuster.MEMORY, libmuster.IO),
        libmuster.write,
        tmp_path / "new",
        **({"rows": 10, "shards": 2} | options),
    )
    assert os.listdir(tmp_path) == []


def written(tmp_path, **options):
    folder = tmp_path / "new"
    values = {
        "format": "npy",
        "dtype": "i4",
        "rows": 100,
        "shards": 4,
        "row_shape": (3,),
        "seed": 9,
        "equal": True,
    }
    libmuster.write(folder, **(values | options))
    return folder, shard_files(folder)


def damage(path, *places):
    """Flips a bit of the bytes at these places, counted from the end; times are kept."""
    stat = os.stat(path)
    with open(path, "r+b") as file:
        for place in places:
            file.seek(-place, 2)
            byte = file.read(1)[0]
            file.seek(-place, 2)
            file.write(bytes([byte ^ 4]))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


@pytest.mark.parametrize("threads", [1, 2, 8])
@pytest.mark.parametrize("format", ["npy", "raw"])
def test_verify_tells_the_first_wrong_cell_and_how_many(tmp_path, threads, format):
    folder, paths = written(tmp_path, format=format)
    result = libmuster.verify(folder, threads=threads)
    assert (result.seed_checked, result.cells, result.wrong_cells) == (True, 300, 0)
    damage(paths[3], 1, 5, 300)  # cells 299, 298 and 225, each shard being 75 cells of 4 bytes
    damage(paths[2], 4, 3)  # cell 224, twice
    error = raises(CHECK, libmuster.verify, folder, threads=threads)
    assert (error.result.wrong_cells, error.result.first_wrong, error.result.cells) == (4, 224, 300)
    assert error.path == paths[2]


def test_verify_finds_every_single_bit(tmp_path):
    folder, paths = written(tmp_path, rows=5, shards=1, dtype="f4")
    for place in range(1, 61):
        damage(paths[0], place)
        error = raises(CHECK, libmuster.verify, folder)
        assert (error.result.wrong_cells, error.result.first_wrong) == (1, (60 - place) // 4)
        damage(paths[0], place)
    assert libmuster.verify(folder).wrong_cells == 0


def test_verify_of_a_folder_without_records(tmp_path, folder):
    reference.put(folder, "x.npy", np.arange(3))
    raises(NOT_FOUND, libmuster.verify, folder)


def test_verify_sees_missing_and_other_shards(tmp_path):
    folder, paths = written(tmp_path)
    os.rename(paths[3], tmp_path / "away.npy")
    with pytest.raises(MusterError):
        libmuster.verify(folder)
    os.rename(tmp_path / "away.npy", paths[3])
    paths_swapped = tmp_path / "swap"
    os.rename(paths[0], paths_swapped)
    os.rename(paths[1], paths[0])
    os.rename(paths_swapped, paths[1])
    error = raises(CHECK, libmuster.verify, folder)
    assert error.result.first_wrong == 0 and error.result.wrong_cells > 140


@pytest.mark.parametrize("content", ["", "{", "[]", "null", "{}", '{"seed": "x"}', '{"seed": 1}'])
def test_a_record_that_is_damaged_is_an_error(tmp_path, content):
    folder, paths = written(tmp_path)
    (folder / "_muster_write.json").write_text(content)
    raises((libmuster.FORMAT, NOT_FOUND), libmuster.verify, folder)
    raises((libmuster.FORMAT, NOT_FOUND), libmuster.clean, folder)
    assert all(os.path.exists(p) for p in paths)


# ---- seal ----------------------------------------------------------------------------------------


class XXH128(ctypes.Structure):
    _fields_ = [("low", ctypes.c_uint64), ("high", ctypes.c_uint64)]


def xxh3_128(data):
    """By the reference implementation, called directly."""
    try:
        library = ctypes.CDLL("libxxhash.so.0")
    except OSError:
        pytest.skip("no libxxhash to compare with")
    library.XXH3_128bits.restype = XXH128
    library.XXH3_128bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    hash_ = library.XXH3_128bits(data, len(data))
    return f"{hash_.high:016x}{hash_.low:016x}"


@pytest.fixture
def sealed(folder):
    for i in range(4):
        reference.put(folder, f"s{i}.npy", np.arange(i * 10, i * 10 + 10 + i, dtype="f8"))
    libmuster.seal(folder)
    return folder


def test_a_seal_holds_sizes_and_checksums(sealed):
    text = (sealed / "_muster_seal.json").read_text()
    json.loads(text)
    for i in range(4):
        data = (sealed / f"s{i}.npy").read_bytes()
        assert f"s{i}.npy" in text and str(len(data)) in text and xxh3_128(data) in text.lower()


def test_a_sealed_folder_verifies(sealed):
    result = libmuster.verify(sealed)
    assert (result.seal_checked, result.seed_checked, result.shards, result.wrong_shards) == (
        True,
        False,
        4,
        0,
    )


@pytest.mark.parametrize("threads", [1, 8])
def test_a_seal_finds_every_changed_shard(sealed, threads):
    damage(sealed / "s3.npy", 1)
    damage(sealed / "s1.npy", 40)
    error = raises(CHECK, libmuster.verify, sealed, threads=threads)
    assert error.path == str(sealed / "s1.npy")
    assert (error.result.shards, error.result.wrong_shards) == (4, 2)


def test_a_seal_finds_bytes_that_are_no_cells(sealed):
    """A space of the header's padding: the array is the same, the file is not."""
    with open(sealed / "s2.npy", "r+b") as file:
        file.seek(126)
        assert file.read(1) == b" "
        file.seek(126)
        file.write(b"\t")
    assert raises(CHECK, libmuster.verify, sealed).name == "s2.npy"


def test_a_seal_finds_longer_missing_and_added_shards(sealed):
    with open(sealed / "s3.npy", "ab") as file:
        file.write(b"x")
    assert raises(CHECK, libmuster.verify, sealed).name == "s3.npy"
    os.truncate(sealed / "s3.npy", os.path.getsize(sealed / "s3.npy") - 1)
    libmuster.verify(sealed)
    reference.put(sealed, "s4.npy", np.zeros(3))
    assert raises(CHECK, libmuster.verify, sealed).name == "s4.npy"
    os.unlink(sealed / "s4.npy")
    os.unlink(sealed / "s3.npy")
    error = raises((CHECK, NOT_FOUND, libmuster.MISMATCH), libmuster.verify, sealed)
    assert "s3.npy" in str(error)


def test_a_seal_of_the_rows_that_are_loaded(sealed):
    damage(sealed / "s3.npy", 1)
    with Dataset(sealed, rows=(0, 20)) as dataset:
        result = libmuster.check_seal(dataset, sealed / "_muster_seal.json")
        assert result.wrong_shards == 0 and result.seal_checked
    with Dataset(sealed) as dataset:
        error = raises(CHECK, libmuster.check_seal, dataset, sealed / "_muster_seal.json")
        assert error.name == "s3.npy"


def test_a_seal_somewhere_else(sealed, tmp_path):
    os.unlink(sealed / "_muster_seal.json")
    libmuster.seal(sealed, tmp_path / "seal.json")
    assert not (sealed / "_muster_seal.json").exists()
    with Dataset(sealed) as dataset:
        assert libmuster.check_seal(dataset, tmp_path / "seal.json").shards == 4
        damage(sealed / "s0.npy", 1)
    with Dataset(sealed) as dataset:
        raises(CHECK, libmuster.check_seal, dataset, tmp_path / "seal.json")


@pytest.mark.parametrize("change", ["cut", "[]", "{}", "null", "missing"])
def test_a_seal_that_is_damaged_is_an_error(sealed, change):
    path = sealed / "_muster_seal.json"
    if change == "missing":
        path.unlink()
    else:
        path.write_text(path.read_text()[:-20] if change == "cut" else change)
    with Dataset(sealed) as dataset:
        raises((libmuster.FORMAT, NOT_FOUND), libmuster.check_seal, dataset, path)


def test_sealing_again_records_what_is_there_now(sealed):
    damage(sealed / "s1.npy", 3)
    raises(CHECK, libmuster.verify, sealed)
    libmuster.seal(sealed)
    libmuster.verify(sealed)


def test_seal_and_seed_are_both_checked(tmp_path):
    folder, paths = written(tmp_path)
    libmuster.seal(folder)
    result = libmuster.verify(folder)
    assert result.seed_checked and result.seal_checked
    damage(paths[1], 7)
    libmuster.seal(folder)
    assert raises(CHECK, libmuster.verify, folder).result.wrong_cells == 1


# ---- clean ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["npy", "raw"])
def test_clean_removes_what_write_made(tmp_path, format):
    folder, paths = written(tmp_path, format=format)
    made = len(os.listdir(folder))
    assert len(paths) <= libmuster.clean(folder) <= made
    assert os.listdir(tmp_path) == []


def test_clean_leaves_files_of_others(tmp_path):
    folder, paths = written(tmp_path)
    (folder / "notes.txt").write_text("mine")
    (folder / "shard_9999.npy").write_text("mine")
    os.mkdir(folder / "more")
    error = raises(EXISTS, libmuster.clean, folder)
    assert os.path.basename(error.path.rstrip("/")) in ("notes.txt", "shard_9999.npy", "more")
    assert sorted(os.listdir(folder)) == ["more", "notes.txt", "shard_9999.npy"]
    assert error.removed >= len(paths)


def test_clean_leaves_files_that_changed(tmp_path):
    folder, paths = written(tmp_path)
    with open(paths[1], "ab") as file:
        file.write(b"mine")
    error = raises(CHANGED, libmuster.clean, folder)
    assert error.path == paths[1] and os.path.exists(paths[1])
    assert not os.path.exists(paths[0])


def test_clean_needs_a_record(tmp_path, folder):
    path = reference.put(folder, "x.npy", np.arange(3))
    raises(NOT_FOUND, libmuster.clean, folder)
    raises(NOT_FOUND, libmuster.clean, tmp_path / "nowhere")
    assert os.path.exists(path)


@pytest.mark.parametrize(
    "name", ["../keep.npy", "{}", "sub/../../keep.npy", "..", ".", "", "sub/x.npy"]
)
def test_clean_never_leaves_its_folder(tmp_path, name):
    """A record that names files elsewhere removes none of them."""
    folder, paths = written(tmp_path)
    keep = tmp_path / "keep.npy"
    keep.write_bytes(open(paths[0], "rb").read())
    os.mkdir(folder / "sub")
    (folder / "sub" / "x.npy").write_bytes(keep.read_bytes())
    record = (folder / "_muster_write.json").read_text()
    evil = record.replace(os.path.basename(paths[0]), name.format(keep))
    assert evil != record
    (folder / "_muster_write.json").write_text(evil)
    try:
        libmuster.clean(folder)
    except MusterError as error:
        assert error.status in (libmuster.FORMAT, EXISTS, CHANGED, NOT_FOUND)
    assert keep.exists() and (folder / "sub" / "x.npy").exists()


def test_clean_does_not_follow_a_link(tmp_path):
    folder, paths = written(tmp_path)
    keep = tmp_path / "keep.npy"
    os.rename(paths[0], keep)
    os.symlink(keep, paths[0])
    try:
        libmuster.clean(folder)
    except MusterError:
        pass
    assert keep.exists()

# SPDX-License-Identifier: Apache-2.0
"""Which files are shards, and in which order: every file holds its place in the right order."""

import itertools
import os
import random

import numpy as np
import pytest
from support import env, libmuster, reference
from support.libmuster import MISMATCH, NOT_FOUND, USAGE, Dataset, MusterError


def fill(folder, names, shuffle=True):
    """One file for each name, which holds the name's index; made in a random order."""
    order = list(enumerate(names))
    if shuffle:
        random.Random(env.SEED).shuffle(order)
    for index, name in order:
        path = os.path.join(os.fsencode(folder), os.fsencode(name))
        with open(path, "wb") as file:
            np.save(file, np.array([index]))


def order_of(inputs, **options):
    with Dataset(inputs, **options) as dataset:
        return dataset.read().tolist()


def refused(inputs, *statuses, **options):
    with pytest.raises(MusterError) as error:
        order_of(inputs, **options)
    assert error.value.status in statuses, error.value
    return error.value


IN_ORDER = {
    "no padding": [f"s{i}.npy" for i in range(25)],
    "padding that runs out": [f"shard_{i:02}.npy" for i in range(98, 103)],
    "from 1": ["part-1.npy", "part-2.npy", "part-3.npy"],
    "bare numbers": [f"{i}.npy" for i in range(12)],
    "number first": [f"{i}_data.npy" for i in range(12)],
    "Spark": [f"part-{i:05}-0a1b2c3d-1111-4222-8333-444455556666-c000.npy" for i in range(12)],
    "Dask": [f"part.{i}.npy" for i in range(12)],
    "PyTorch shards": [f"model-{i:05}-of-00012.npy" for i in range(1, 13)],
    "snapshot parts": [f"snap_099.{i}.npy" for i in range(12)],
    "numbers in a common stem": [f"run7_v2_{i}.npy" for i in range(12)],
    "two numbers": [f"r{a}_c{b}.npy" for a in (0, 1, 10) for b in (0, 2, 11)],
    "ranks and steps": [f"step{a}-rank{b}.npy" for a in (100, 2000) for b in range(11)],
    "one file": ["only.npy"],
    "one numbered file": ["shard_7.npy"],
    "no numbers": ["alpha.npy", "beta.npy", "gamma.npy"],
    "no numbers, capitals": ["B.npy", "a.npy", "c.npy"],
    "dates": ["2023-12-31.npy", "2024-01-01.npy", "2024-01-03.npy"],
    "compact dates": ["d20231231.npy", "d20240101.npy", "d20240301.npy"],
    "Hive-like": [f"year=2024_month={m}.npy" for m in range(1, 13)],
    "beyond 64 bits": [f"s{2**64 + i}.npy" for i in (-2, -1, 0, 1, 10)],
    "very long numbers": ["s" + "9" * n + ".npy" for n in (30, 50, 100, 200)],
    "equal numbers of other lengths": ["a0_1.npy", "a0_02.npy", "a0_3.npy"],
    "with spaces": [f"my shard {i}.npy" for i in range(12)],
    "newlines": [f"my\nshard\n{i}.npy" for i in range(12)],
    "not ASCII": [f"Größe_{i}_文.npy" for i in range(12)],
    "not UTF-8": [b"\xff\xfe%d.npy" % i for i in range(12)],
    "glob characters": [f"[a]*?{i}.npy" for i in range(12)],
}


@pytest.mark.parametrize("names", IN_ORDER.values(), ids=IN_ORDER)
@pytest.mark.parametrize("via", ["folder", "glob"])
def test_08_names_are_put_in_natural_order(folder, names, via):
    fill(folder, names)
    inputs = folder if via == "folder" else f"{folder}/*.npy"
    assert order_of(inputs) == list(range(len(names)))


@pytest.mark.parametrize("names", IN_ORDER.values(), ids=IN_ORDER)
def test_08_the_same_order_of_any_digits(folder, names):
    """--order name is bytewise, whatever numbers there are."""
    fill(folder, names)
    by_name = sorted(range(len(names)), key=lambda i: os.fsencode(names[i]))
    assert order_of(folder, order="name") == by_name


HOLES = {
    "in the middle": ([0, 1, 3], ["2"]),
    "two": ([1, 2, 5], ["3", "4"]),
    "padded": (["000", "001", "003"], ["002"]),
    "from 1": ([1, 3], ["2"]),
    "far": ([0, 1, 1000000], ["2"]),
    "very far": ([0, 1, 2**63], ["2"]),
    "beyond 64 bits": ([0, 1, 2**64 + 2], []),
}


@pytest.mark.parametrize("numbers, missing", HOLES.values(), ids=HOLES)
def test_a_hole_in_an_index_is_named(folder, numbers, missing):
    fill(folder, [f"shard_{n}.npy" for n in numbers])
    for inputs in (folder, f"{folder}/*.npy"):
        error = refused(inputs, MISMATCH, NOT_FOUND)
        for number in missing:
            assert f"shard_{number}.npy" in str(error) + "".join(map(str, error.faults))
    with Dataset(folder, allow_gaps=True) as dataset:
        assert dataset.read().tolist() == list(range(len(numbers)))
        assert all(any(number in note for note in dataset.notes) for number in missing)
        assert dataset.notes
    assert sorted(order_of(folder, order="name")) == list(range(len(numbers)))


def test_duplicates_of_an_index_are_named(folder):
    fill(folder, ["shard_0.npy", "shard_1.npy", "shard_01.npy", "shard_2.npy"])
    error = refused(folder, MISMATCH)
    text = str(error) + "".join(map(str, error.faults))
    assert "shard_1.npy" in text and "shard_01.npy" in text
    refused(folder, MISMATCH, allow_gaps=True)


NO_INDEX = {
    "dates": ["2024-01-02.npy", "2024-01-03.npy", "2024-01-05.npy"],
    "dates of two months": ["2024-01-01.npy", "2024-01-02.npy", "2024-02-05.npy"],
    "run numbers": ["run_100.npy", "run_101.npy", "run_105.npy"],
    "from 2": ["s2.npy", "s5.npy"],
    "two numbers": ["a0_b0.npy", "a0_b2.npy", "a3_b0.npy"],
}


@pytest.mark.parametrize("names", NO_INDEX.values(), ids=NO_INDEX)
def test_gaps_of_what_is_no_index_are_only_noted(folder, names):
    fill(folder, names)
    assert order_of(folder) == list(range(len(names)))
    if "run" in names[0] or names[0] == "s2.npy":
        with Dataset(folder) as dataset:
            assert any("gap" in note or "missing" in note for note in dataset.notes), dataset.notes


def test_no_gap_no_note(folder):
    fill(folder, [f"run_{i}.npy" for i in range(100, 112)])
    with Dataset(folder) as dataset:
        assert dataset.notes == []


@pytest.mark.parametrize(
    "names",
    [
        ["a_0.npy", "a_1.npy", "b_0.npy"],
        ["shard_0.npy", "shard_1.npy", "mean.npy"],
        ["a0.npy", "b1.npy"],
        ["x_1.npy", "x_2_old.npy"],
    ],
)
def test_mixed_stems_are_refused(folder, names):
    """They are two datasets, or one and something else; by name they can be had."""
    fill(folder, names)
    error = refused(folder, MISMATCH)
    text = str(error) + "".join(map(str, error.faults))
    assert any(n in text for n in names)
    assert order_of(folder, order="name") == sorted(range(len(names)), key=lambda i: names[i])


@pytest.mark.parametrize(
    "name",
    [
        ".hidden.npy",
        ".shard_9.npy",
        "_SUCCESS",
        "_metadata",
        "_common_metadata",
        "md5sums.txt",
        "SHA256SUMS",
        "shard_0.npy.md5",
        "shard_0.npy.sha256",
        "shard_0.npy.crc",
        ".shard_0.npy.crc",
        "checksums.sha256",
        "_muster_seal.json",
        "_muster_write.json",
        "shard_meta.json",
        "_meta.json",
    ],
)
def test_what_is_no_shard_is_passed_over(folder, name):
    fill(folder, ["shard_0.npy", "shard_1.npy"])
    (folder / name).write_bytes(b"{}" if name.endswith("json") else b"whatever")
    assert order_of(folder) == [0, 1]


def test_other_files_in_the_folder_are_noted_or_refused_not_swallowed(folder):
    """A README beside the shards must not make them unreadable, nor be read."""
    fill(folder, ["shard_0.npy", "shard_1.npy"])
    (folder / "README.md").write_text("hello")
    try:
        with Dataset(folder) as dataset:
            assert dataset.read().tolist() == [0, 1]
            assert any("README.md" in note for note in dataset.notes)
    except MusterError as error:
        assert error.status == MISMATCH and "README.md" in str(error) + "".join(
            map(str, error.faults)
        )


def test_sub_folders_are_not_searched(folder):
    fill(folder, ["shard_0.npy", "shard_1.npy"])
    os.mkdir(folder / "shard_2")
    fill(folder / "shard_2", ["shard_2.npy"])
    assert order_of(folder) == [0, 1]


def test_mixed_formats_name_the_odd_ones(folder):
    fill(folder, [f"s{i}.npy" for i in range(4)])
    (folder / "s4.npz").write_bytes(b"PK\x03\x04" + bytes(60))
    error = refused(folder, MISMATCH, libmuster.UNSUPPORTED)
    assert "s4.npz" in str(error) + "".join(map(str, error.faults))


# ---- order ---------------------------------------------------------------------------------------


def test_one_odd_name_among_many_is_the_odd_one(folder):
    """And what is wrong with the numbers of the others is told with it."""
    fill(folder, [f"s{i}.npy" for i in range(9) if i != 4] + ["a.npy"])
    error = refused(folder, MISMATCH)
    assert [fault.name for fault in error.faults] == ["a.npy", ""]
    assert "does not follow the pattern of s" in str(error.faults[0])
    assert "s4.npy" in str(error.faults[1]) and "--allow-gaps" in str(error.faults[1])
    fill(folder, ["b.npy", "s4.npy"])
    (fault,) = refused(folder, MISMATCH).faults
    assert fault.name == "a.npy" and "its name and 1 more do not follow the pattern of s" in str(fault), fault


def test_what_is_another_format_is_no_older_one_of_the_name(folder):
    """netCDF-4 beside HDF5, npz beside npy."""
    netCDF4, h5py = (pytest.importorskip(name) for name in ("netCDF4", "h5py"))
    first, second = folder / "a.h5", folder / "b.nc"
    with h5py.File(first, "w") as file:
        file["v"] = np.zeros(3)
    with netCDF4.Dataset(second, "w") as file:
        file.createDimension("t", 3)
        file.createVariable("v", "f8", ("t",))[:] = 0
    assert "is netcdf, but the first shard is hdf5" in str(refused(folder, MISMATCH))
    first.unlink()
    second.unlink()
    np.save(folder / "a.npy", np.zeros(3))
    np.savez(folder / "b.npz", v=np.zeros(3))
    assert "is npz, but the first shard is npy" in str(refused(folder, MISMATCH))


def test_order_by_mtime_then_by_name(folder):
    names = ["c.npy", "a.npy", "b.npy", "e.npy", "d.npy"]
    times = [300, 100, 200, 100, 100]
    fill(folder, names)
    for name, time in zip(names, times):
        os.utime(folder / name, ns=(0, time * 10**9 + (5 if name == "b.npy" else 0)))
    expected = sorted(range(5), key=lambda i: (times[i], names[i]))
    assert order_of(folder, order="mtime") == expected


def test_order_by_mtime_counts_nanoseconds(folder):
    names = ["a.npy", "b.npy", "c.npy"]
    fill(folder, names)
    for name, ns in zip(names, (30, 10, 20)):
        os.utime(folder / name, ns=(0, 10**18 + ns))
    assert order_of(folder, order="mtime") == [1, 2, 0]


def test_lists_keep_their_order_but_for_another_order(folder):
    names = ["s2.npy", "s10.npy", "s0.npy", "s1.npy"]
    fill(folder, names)
    paths = [folder / n for n in names]
    assert order_of(paths) == [0, 1, 2, 3]
    assert order_of(paths, order="list") == [0, 1, 2, 3]
    assert order_of(paths, order="name") == [2, 3, 1, 0]
    assert order_of(paths, order="number", allow_gaps=True) == [2, 3, 0, 1]
    assert order_of(paths[::-1]) == [3, 2, 1, 0]


def test_order_by_number_needs_numbers(folder):
    fill(folder, ["a.npy", "b.npy"])
    try:
        assert order_of(folder, order="number") == [0, 1]
    except MusterError as error:
        assert error.status in (MISMATCH, USAGE)


def test_several_inputs_follow_each_other(folder):
    for sub, names in (("b", ["s0.npy", "s1.npy"]), ("a", ["t0.npy", "t1.npy"])):
        os.mkdir(folder / sub)
        fill(folder / sub, names)
    with Dataset([folder / "b", folder / "a"]) as dataset:
        assert dataset.names == ["s0.npy", "s1.npy", "t0.npy", "t1.npy"]


# ---- lists and globs -----------------------------------------------------------------------------


def test_a_list_in_a_file(folder, tmp_path):
    names = ["s2.npy", "s10.npy", "s 0.npy"]
    fill(folder, names)
    relative = [f"data/{n}" for n in names]
    (tmp_path / "list.txt").write_text("\n".join(relative) + "\n")
    assert order_of(f"@{tmp_path}/list.txt") == [0, 1, 2]
    (tmp_path / "list.txt").write_text("\r\n".join(relative[::-1]))
    assert order_of(f"@{tmp_path}/list.txt") == [2, 1, 0]
    (tmp_path / "list.txt").write_text("\n\n" + str(folder / names[1]) + "\n\n")
    assert order_of(f"@{tmp_path}/list.txt") == [1]


def test_a_list_in_a_file_that_names_nothing(folder):
    (folder / "list.txt").write_text("")
    refused(f"@{folder}/list.txt", NOT_FOUND)
    (folder / "list.txt").write_text("missing.npy\n")
    assert refused(f"@{folder}/list.txt", NOT_FOUND).name == "missing.npy"
    assert refused(f"@{folder}/no-list.txt", NOT_FOUND).name == "no-list.txt"
    refused("@", NOT_FOUND, USAGE)


def test_a_list_of_names_that_are_not_utf8(folder):
    fill(folder, [b"\xff1.npy", b"\xff2.npy"])
    (folder / "list.txt").write_bytes(b"\xff2.npy\n\xff1.npy\n")
    assert order_of(f"@{folder}/list.txt") == [1, 0]


@pytest.mark.parametrize(
    "pattern, expected",
    [("s?.npy", [0, 1, 2]), ("s[02].npy", [0, 2]), ("*1.npy", [1]), ("./s*.npy", [0, 1, 2])],
)
def test_globs(folder, pattern, expected):
    fill(folder, ["s0.npy", "s1.npy", "s2.npy"])
    assert order_of(f"{folder}/{pattern}", allow_gaps=True) == expected


def test_globs_over_folders(folder):
    for i, sub in enumerate(["r0", "r1", "r10", "r2"]):
        os.mkdir(folder / sub)
        np.save(folder / sub / "x.npy", np.array([i]))
    assert order_of(f"{folder}/r*/x.npy", allow_gaps=True) == [0, 1, 3, 2]


def test_globs_that_match_nothing(folder):
    refused(f"{folder}/*.npy", NOT_FOUND)


@pytest.mark.parametrize("name", ["a[0].npy", "a*.npy", "a?.npy", "a[.npy", "a{0,1}.npy", "~.npy"])
def test_a_file_whose_name_looks_like_a_glob(folder, name):
    """What is there under that very name is meant."""
    fill(folder, ["a0.npy", name])
    assert order_of(folder / name) == [1]


def test_a_folder_whose_name_looks_like_a_glob(tmp_path):
    for i, name in enumerate(["x[1]", "x1"]):
        os.mkdir(tmp_path / name)
        np.save(tmp_path / name / "s.npy", np.array([i]))
    assert order_of(tmp_path / "x[1]") == [0]


def test_a_file_whose_name_begins_with_at(folder):
    """./@x.npy is the file; @x.npy is a list."""
    fill(folder, ["@x.npy"])
    assert order_of(f"{folder}/@x.npy") == [0]


def test_nothing_there(folder):
    assert refused(folder, NOT_FOUND).path == str(folder)
    assert refused(folder / "x.npy", NOT_FOUND).name == "x.npy"
    refused(folder / "x.npy" / "y.npy", NOT_FOUND)
    refused("", NOT_FOUND, USAGE)
    refused([], NOT_FOUND, USAGE)
    (folder / ".hidden.npy").write_bytes(b"")
    (folder / "_SUCCESS").write_bytes(b"")
    refused(folder, NOT_FOUND)


def test_links_are_followed(folder, tmp_path):
    fill(tmp_path, ["real.npy"])
    os.symlink(tmp_path / "real.npy", folder / "s0.npy")
    os.symlink(folder, tmp_path / "link")
    assert order_of(tmp_path / "link") == [0]
    os.symlink("loop", tmp_path / "loop")
    refused(tmp_path / "loop", NOT_FOUND, libmuster.IO)


def test_natural_order_of_random_names(folder):
    """Two random numbers in a name, against a sort by them."""
    draw = random.Random(env.SEED)
    for run in range(30):
        sub = folder / f"run{run}"
        os.mkdir(sub)
        pairs = {(draw.choice([1, 2, 10, 99, 100, 2**40]), draw.randrange(30)) for _ in range(8)}
        names = [f"a{a}-{draw.choice(['', '0', '00'])}{b}.npy" for a, b in sorted(pairs)]
        if len({a for a, _ in pairs}) > 1 and len({b for _, b in pairs}) > 1:
            fill(sub, names)
            assert order_of(sub) == list(range(len(names))), names


@pytest.mark.parametrize("threads", [1, 8])
def test_order_does_not_depend_on_threads(folder, threads):
    names = [f"s{i}.npy" for i in range(200)]
    fill(folder, names)
    assert order_of(folder, threads=threads) == list(range(200))


def test_every_order_of_a_short_list(folder):
    fill(folder, ["s0.npy", "s1.npy", "s2.npy"])
    for order in itertools.permutations(range(3)):
        assert order_of([folder / f"s{i}.npy" for i in order]) == list(order)


@pytest.mark.parametrize(
    "spec, shape", [("null:7", (7,)), ("null:7x3", (7, 3)), ("null:10x2x3:float64:4", (10, 2, 3))]
)
def test_null_is_zeros_without_files(spec, shape):
    with Dataset(spec) as dataset:
        assert dataset.shape == shape and dataset.format == "null"
        array = dataset.read()
        assert not array.any()
        _, result = dataset.load(to="null", checksum=True)
        assert result.checksum == reference.checksum(np.zeros(shape, dataset.dtype))
        if spec.endswith("4"):
            assert dataset.dtype == np.float64 and len(dataset.shards) == 4


@pytest.mark.parametrize(
    "spec",
    [
        "null:",
        "null:x",
        "null:-1",
        "null:3x",
        "null:3:float31",
        "null:3:f4:0",
        "null:3:f4:x",
        "null:99999999999999999999",
        "null:4294967296x4294967296x2",
    ],
)
def test_null_that_cannot_be(spec):
    refused(spec, USAGE, libmuster.FORMAT, libmuster.UNSUPPORTED, MISMATCH)

# SPDX-License-Identifier: Apache-2.0
"""
The cases from 5 on that real files bring along, numbered as in the specification of the formats:
sizes, names, order, layout, sidecars. Where NumPy reads a file, its array is what is expected.
"""

import itertools
import os

import numpy as np
import pytest
from support import libmuster, reference
from support.libmuster import CHANGED, FORMAT, MISMATCH, NOT_FOUND, UNSUPPORTED, Dataset, MusterError
from support.reading import header, read, refused, said
from support.reference import npy, put

DATA = np.arange(6, dtype="<f4").tobytes()
BAD_FILE = (FORMAT, UNSUPPORTED)


# ---- 5, 6: sizes ---------------------------------------------------------------------------------


def test_05_truncated_npy_says_both_sizes(folder):
    array = np.arange(1000, dtype="f8")
    path = put(folder, "x.npy", array)
    full = os.path.getsize(path)
    os.truncate(path, full - 1)
    error = refused(path, FORMAT)
    assert error.name == "x.npy"
    said(error, full, full - 1)


def test_05_longer_npy_is_noted_and_read(folder):
    array = np.arange(1000, dtype="f8")
    path = put(folder, "x.npy", array)
    with open(path, "ab") as file:
        file.write(b"more!")
    with Dataset(path) as dataset:
        assert reference.same(dataset.read(), array)
        assert any("x.npy" in note and "5" in note for note in dataset.notes)


def test_05_exact_npy_is_not_noted(folder):
    with Dataset(put(folder, "x.npy", np.arange(1000.0))) as dataset:
        assert dataset.notes == []


SIDECAR = {"dtype": "float32", "trailing_shape": [2], "per_shard_rows": [3]}


@pytest.mark.parametrize(
    "sidecar", [SIDECAR, {"dtype": "float32", "trailing_shape": [2]}], ids=["rows", "derived"]
)
@pytest.mark.parametrize("change", [-1, 1, -8, 8])
def test_05_raw_of_another_size_is_refused(folder, sidecar, change):
    """But for whole rows where the sidecar does not count them."""
    put(folder, "x.bin", (DATA * 2)[: len(DATA) + change])
    put(folder, "shard_meta.json", sidecar)
    if change in (-8, 8) and "per_shard_rows" not in sidecar:
        assert read(folder).shape == (3 + change // 8, 2)
    else:
        error = refused(folder, FORMAT, MISMATCH)
        assert error.name == "x.bin"
        said(error, len(DATA) + change)


def test_06_zero_row_shards_contribute_nothing(folder):
    parts = [np.zeros((n, 2), "i4") + n for n in (0, 3, 0, 0, 2, 0)]
    for i, part in enumerate(parts):
        put(folder, f"s{i}.npy", part)
    with Dataset(folder) as dataset:
        assert reference.same(dataset.read(), np.concatenate(parts))
        assert len(dataset.shards) == 6
        assert [len(s) for _, _, s in dataset.plan(procs=2)] == [1, 1]
        assert [len(s) for _, _, s in dataset.plan(procs=1)] == [2]


@pytest.mark.parametrize("shape", [(0,), (0, 5), (3, 0), (0, 0), (4, 0, 2)])
@pytest.mark.parametrize("files", [1, 3])
def test_06_empty_arrays_keep_dtype_and_shape(folder, tmp_path, shape, files):
    for i in range(files):
        put(folder, f"s{i}.npy", np.zeros(shape, "M8[ms]"))
    expected = np.zeros((shape[0] * files, *shape[1:]), "M8[ms]")
    with Dataset(folder) as dataset:
        assert reference.same(dataset.read(), expected)
        assert dataset.row_bytes == 8 * int(np.prod(shape[1:]))
        out = tmp_path / "out.npy"
        _, result = dataset.load(to="npy", path=out, checksum=True)
        assert result.checksum == 0
        assert reference.same(np.load(out), expected)


def test_06_zero_row_raw_files(folder):
    put(folder, "a0.bin", b"")
    put(folder, "a1.bin", DATA)
    assert read(folder, format="raw", source_dtype="f4", row_shape=(2,)).shape == (3, 2)


def test_06_raw_rows_of_no_bytes_cannot_be_counted(folder):
    put(folder, "x.bin", b"")
    put(folder, "shard_meta.json", {"dtype": "f4", "trailing_shape": [0]})
    refused(folder, FORMAT, MISMATCH, UNSUPPORTED, libmuster.USAGE)
    put(folder, "shard_meta.json", {"dtype": "f4", "trailing_shape": [0], "per_shard_rows": [7]})
    assert read(folder).shape == (7, 0)


# ---- 7: large ------------------------------------------------------------------------------------


def test_07_one_read_above_two_gibibytes(folder):
    """A file full of holes, with marks where 32-bit counts go wrong."""
    rows = 2**31 + 4097
    head = npy(header(descr="'|u1'", shape=f"({rows},)") + "\n")
    marks = {0: 1, 2**30: 2, 2**31 - 1: 3, 2**31: 4, 2**31 + 1: 5, rows - 1: 6}
    path = put(folder, "x.npy", head)
    with open(path, "r+b") as file:
        for place, value in marks.items():
            file.seek(len(head) + place)
            file.write(bytes([value]))
    with Dataset(path) as dataset:
        array = dataset.read()
        assert {place: int(array[place]) for place in marks} == marks
        assert np.count_nonzero(array) == len(marks)
        assert dataset.read(2**31 - 2, 2**31 + 2).tolist() == [0, 3, 4, 5]


# ---- 9, 10, 11, 12: order, layout, rank, mismatches ----------------------------------------------


def test_09_a_list_of_files_keeps_its_order(folder):
    paths = [put(folder, f"s{i}.npy", np.array([i])) for i in range(5)]
    order = [3, 0, 4, 1, 2]
    assert read([paths[i] for i in order]).tolist() == order
    assert read([paths[i] for i in [1, 1, 0]]).tolist() == [1, 1, 0]


@pytest.mark.parametrize(
    "descr", ["<f8", ">f8", "<c16", ">c16", ">i2", "|b1", ">M8[ns]", ">f16", ">c32"]
)
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(7,), (7, 5), (7, 1, 5), (2, 3, 4, 5), (300, 40)])
def test_10_byte_order_and_memory_order(folder, descr, order, shape):
    count = int(np.prod(shape))
    array = np.asarray((np.arange(count) * 257 % 251).astype(descr).reshape(shape), order=order)
    path = put(folder, "x.npy", array)
    with Dataset(path) as dataset:
        assert reference.same(dataset.read(), array)
        assert reference.same(dataset.read(1, len(array) - 1), array[1:-1])
        assert reference.same(dataset.load(threads=3)[0], array)


def test_10_byte_and_memory_order_may_differ_from_shard_to_shard(folder):
    parts = [
        np.asarray(np.arange(6 * i, 6 * i + 6, dtype=d).reshape(3, 2), order=o)
        for i, (d, o) in enumerate(itertools.product(["<i4", ">i4"], "CF"))
    ]
    for i, part in enumerate(parts):
        put(folder, f"s{i}.npy", part)
    assert reference.same(read(folder), np.concatenate(parts).astype("i4"))


def test_11_a_0d_array_has_no_rows(folder):
    path = put(folder, "x.npy", np.array(1.5))
    said(refused(path, UNSUPPORTED, MISMATCH, FORMAT), "stack")
    assert read(path, stack=True).tolist() == [1.5]


OTHERS = {
    "dtype": (np.zeros((2, 3), "f8"), ["float64", "float32"]),
    "trailing shape": (np.zeros((2, 4), "f4"), ["4", "3"]),
    "rank": (np.zeros((2, 3, 1), "f4"), ["3", "1"]),
    "lower rank": (np.zeros(2, "f4"), []),
    "unit": (np.zeros((2, 3), "m8[s]"), ["timedelta64[s]"]),
}


@pytest.mark.parametrize("other, words", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("dtype", [None, "float64"])
def test_12_a_shard_that_differs_is_named_with_the_first(folder, other, words, dtype):
    put(folder, "s0.npy", np.zeros((2, 3), "f4"))
    put(folder, "s1.npy", other)
    put(folder, "s2.npy", np.zeros((2, 3), "f4"))
    error = refused(folder, MISMATCH, dtype=dtype)
    assert error.name == "s1.npy" and [f.name for f in error.faults] == ["s1.npy"]
    said(error, "s0.npy", *words)


def test_12_units_that_differ_are_a_mismatch(folder):
    put(folder, "s0.npy", np.zeros(2, "M8[s]"))
    put(folder, "s1.npy", np.zeros(2, "M8[ms]"))
    said(refused(folder, MISMATCH), "s0.npy", "datetime64[s]", "datetime64[ms]")


def test_12_stacked_shards_must_have_one_shape(folder):
    put(folder, "s0.npy", np.zeros((2, 3), "f4"))
    put(folder, "s1.npy", np.zeros((3, 3), "f4"))
    assert refused(folder, MISMATCH, stack=True).name == "s1.npy"


def test_12_all_faults_at_once_in_order_the_first_twenty(folder):
    """Every kind of fault, among good shards; one run tells them all."""
    good = np.zeros((2, 3), "f4")
    makers = {
        "dtype": lambda p: np.save(p, good.astype("i4")),
        "shape": lambda p: np.save(p, np.zeros((2, 4), "f4")),
        "rank": lambda p: np.save(p, np.zeros((2, 3, 1), "f4")),
        "object": lambda p: np.save(p, np.array([[{}]], object), allow_pickle=True),
        "structured": lambda p: np.save(p, np.zeros(2, [("a", "f4")])),
        "garbage": lambda p: p.write_bytes(b"hello, this is no npy file at all"),
        "truncated": lambda p: p.write_bytes(npy(header(shape="(2, 3)"), bytes(23))),
        "dangling": lambda p: p.symlink_to("nowhere"),
        "empty": lambda p: p.write_bytes(b""),
    }
    status = {
        "dtype": [MISMATCH],
        "shape": [MISMATCH],
        "rank": [MISMATCH],
        "object": [UNSUPPORTED],
        "structured": [UNSUPPORTED],
        "garbage": [FORMAT, UNSUPPORTED],
        "truncated": [FORMAT],
        "dangling": [NOT_FOUND, libmuster.IO, CHANGED],
        "empty": [FORMAT],
    }
    kinds = [k for k in makers for _ in range(3)]
    expected, paths = [], []
    for number in range(2 * len(kinds)):
        path = folder / f"s{number:03}.npy"
        if number % 2:
            makers[kinds[number // 2]](path)
            expected.append((path.name, kinds[number // 2]))
        else:
            np.save(path, good)
        paths.append(path)
    for inputs in (folder, paths):
        error = refused(inputs, MISMATCH)
        assert [f.name for f in error.faults] == [name for name, _ in expected[:20]]
        for fault, (_, kind) in zip(error.faults, expected):
            assert fault.status in status[kind], fault
        assert error.name == expected[0][0]
        assert str(len(expected) - 1) in error.message, f"not the number of others: {error}"


def test_12_faults_are_the_same_with_any_number_of_threads(folder):
    for i in range(40):
        put(folder, f"s{i}.npy", np.zeros((2, 3 + i % 3), "f4"))
    runs = [refused(folder, MISMATCH, threads=t) for t in (1, 2, 8, 8, 8)]
    texts = [[str(e), *map(str, e.faults)] for e in runs]
    assert len(texts[0]) == 21 and all(t == texts[0] for t in texts)


def test_12_a_folder_or_a_dangling_link_named_like_a_shard(folder):
    put(folder, "s0.npy", np.zeros(2))
    os.mkdir(folder / "s1.npy")
    error = refused(
        [folder / "s0.npy", folder / "s1.npy"],
        NOT_FOUND,
        FORMAT,
        UNSUPPORTED,
        libmuster.IO,
        MISMATCH,
    )
    assert "s1.npy" in str(error)
    os.rmdir(folder / "s1.npy")
    os.symlink("nowhere", folder / "s1.npy")
    assert refused(folder, NOT_FOUND, libmuster.IO).name == "s1.npy"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_12_a_file_that_may_not_be_read(folder):
    put(folder, "s0.npy", np.zeros(2))
    os.chmod(put(folder, "s1.npy", np.zeros(2)), 0)
    assert refused(folder, libmuster.IO).name == "s1.npy"


REFUSED_FORMATS = {
    "x.zip": b"PK\x03\x04" + bytes(60),
    "x.npy.gz": b"\x1f\x8b\x08" + bytes(60),
    "x.csv": b"a,b\n1,2\n",
    "x.tiff": b"II*\0" + bytes(60),
    "x.fits": b"SIMPLE  =                    T" + b" " * 60,
    "x.pkl": b"\x80\x04\x95" + bytes(60),
    "x.mat": b"MATLAB 5.0 MAT-file" + bytes(120),
    "x.feather": b"FEA1" + bytes(60),
}


@pytest.mark.parametrize("name", REFUSED_FORMATS)
def test_formats_that_are_not_read_are_refused_by_name(folder, name):
    error = refused(put(folder, name, REFUSED_FORMATS[name]), UNSUPPORTED)
    assert error.name == name
    word = {"x.npy.gz": "gz", "x.pkl": "pickle", "x.feather": "eather", "x.mat": "MAT"}.get(
        name, name[2:]
    )
    assert word.lower() in error.message.lower()


def test_a_headerless_dump_named_npy_says_how_to_read_it(folder):
    """np.memmap files are often named so; NumPy's own message speaks of pickles."""
    error = refused(put(folder, "x.npy", np.arange(1000, dtype="f4").tobytes()), *BAD_FILE)
    said(error, "raw")


# ---- 36, 37 --------------------------------------------------------------------------------------

ODD_NAMES = [
    b"with space.npy",
    b"new\nline.npy",
    "größe-中文.npy".encode(),
    b"bad-\xff\xfe.npy",
    b"-o.npy",
    b"'\"`$(x).npy",
    b"tab\t.npy",
    b"\x1b[31mred.npy",
    b"percent%s%n.npy",
    b"back\\slash.npy",
    b"#hash.npy",
    b"a:b.npy",
]


@pytest.mark.parametrize("name", ODD_NAMES, ids=repr)
def test_36_any_name_works(folder, name):
    inside = os.path.join(os.fsencode(folder), name)
    os.mkdir(inside + b".d")
    for path in (inside, os.path.join(inside + b".d", name)):
        with open(path, "wb") as file:
            np.save(file, np.arange(4.0))
        assert read([path]).tolist() == [0, 1, 2, 3]
    assert read([inside + b".d"]).tolist() == [0, 1, 2, 3]
    with Dataset([inside + b".d"]) as dataset:
        assert os.fsencode(dataset.names[0]) == name
    with open(inside, "ab") as file:
        file.truncate(100)
    assert os.fsencode(refused([inside], FORMAT).path) == inside


def test_36_a_path_longer_than_an_error_can_hold(folder):
    path = os.fspath(folder)
    deep = os.open(path, os.O_RDONLY)
    try:
        for _ in range(30):
            os.mkdir("d" * 200, dir_fd=deep)
            inner = os.open("d" * 200, os.O_RDONLY, dir_fd=deep)
            os.close(deep)
            deep, path = inner, path + "/" + "d" * 200
        refused(path + "/x.npy", NOT_FOUND, libmuster.IO, libmuster.USAGE)
    finally:
        os.close(deep)


HUGE = {
    "product": "(4611686018427387904, 4)",
    "bytes": "(4611686018427387904,)",
    "just beyond 64 bits": "(18446744073709551616,)",
    "2**64-1": "(18446744073709551615,)",
    "2**63": "(9223372036854775808,)",
    "2**63-1": "(9223372036854775807,)",
    "very long number": "(" + "9" * 400 + ",)",
    "wraps to 6": "(4294967296, 4294967296, 6)",
    "wraps to 6 by extents": "(18446744073709551622,)",
    "trailing overflow without rows": "(0, 4294967296, 4294967296)",
    "negative": "(-3, 2)",
    "both negative": "(-3, -2)",
    "negative zero rows": "(0, -2)",
    "rank 65": "(3, 2, " + "1, " * 63 + ")",
    "rank 1000": "(3, 2, " + "1, " * 998 + ")",
    "rank 65 of zeros": "(" + "0, " * 65 + ")",
}


@pytest.mark.parametrize("shape", HUGE.values(), ids=HUGE)
@pytest.mark.parametrize("order", ["False", "True"])
@pytest.mark.parametrize("stack", [False, True])
def test_37_shapes_that_cannot_be_are_refused(folder, shape, order, stack):
    path = put(folder, "x.npy", npy(header(shape=shape, fortran_order=order), DATA))
    assert refused(path, *BAD_FILE, stack=stack).name == "x.npy"


@pytest.mark.parametrize("extent", [2**31, 2**40, 2**60])
def test_37_large_extents_of_a_short_file_are_truncation(folder, extent):
    path = put(folder, "x.npy", npy(header(shape=f"({extent},)"), DATA))
    error = refused(path, FORMAT)
    said(error, len(DATA) + len(npy(header(shape=f"({extent},)"))))


def test_37_rows_that_overflow_together(folder):
    """Each file alone is possible, because it has no bytes."""
    text = header(shape=f"({2**63 - 1}, 0)")
    paths = [put(folder, f"s{i}.npy", npy(text)) for i in range(4)]
    refused(paths, MISMATCH, *BAD_FILE)


def test_37_stacking_adds_an_axis_up_to_the_limit(folder):
    path = put(folder, "x.npy", npy(header(shape="(" + "1, " * 64 + ")", descr="'|u1'"), b"\7"))
    assert read(path).shape == (1,) * 64
    refused(path, *BAD_FILE, MISMATCH, stack=True)


SIDECARS = {
    "not JSON": b"{dtype: float32}",
    "cut": b'{"dtype": "float32", "trailing_sha',
    "empty file": b"",
    "no object": b"[1, 2]",
    "null": b"null",
    "deep": b'{"dtype":' + b"[" * 100000,
    "no dtype": {"trailing_shape": [2]},
    "dtype number": {"dtype": 4, "trailing_shape": [2]},
    "dtype unknown": {"dtype": "float31", "trailing_shape": [2]},
    "dtype object": {"dtype": "object", "trailing_shape": [2]},
    "dtype structured": {"dtype": [["a", "f4"]], "trailing_shape": [2]},
    "trailing number": {"dtype": "f4", "trailing_shape": 2},
    "trailing negative": {"dtype": "f4", "trailing_shape": [-2]},
    "trailing float": {"dtype": "f4", "trailing_shape": [2.5]},
    "trailing string": {"dtype": "f4", "trailing_shape": ["2"]},
    "trailing null": {"dtype": "f4", "trailing_shape": [None]},
    "trailing huge": {"dtype": "f4", "trailing_shape": [2**63, 4]},
    "trailing overflow": {"dtype": "f4", "trailing_shape": [2**32, 2**32]},
    "trailing beyond 64 bits": b'{"dtype": "f4", "trailing_shape": [18446744073709551618]}',
    "trailing rank 64": {"dtype": "f4", "trailing_shape": [1] * 64},
    "rows number": SIDECAR | {"per_shard_rows": 3},
    "rows too few": SIDECAR | {"per_shard_rows": []},
    "rows too many": SIDECAR | {"per_shard_rows": [3, 3]},
    "rows negative": SIDECAR | {"per_shard_rows": [-3]},
    "rows too large": SIDECAR | {"per_shard_rows": [4]},
    "rows too small": SIDECAR | {"per_shard_rows": [2]},
    "rows huge": SIDECAR | {"per_shard_rows": [2**61]},
    "rows wrap": SIDECAR | {"per_shard_rows": [2**61 + 3]},
    "rows string": SIDECAR | {"per_shard_rows": ["3"]},
    "header negative": SIDECAR | {"header_bytes": -1},
    "header beyond the file": {"dtype": "f4", "trailing_shape": [2], "header_bytes": 1000},
    "header huge": {"dtype": "f4", "trailing_shape": [2], "header_bytes": 2**64 - 8},
    "header float": SIDECAR | {"header_bytes": 0.5},
    "byte order unknown": SIDECAR | {"byte_order": "middle"},
    "byte order number": SIDECAR | {"byte_order": 1},
}


@pytest.mark.parametrize("sidecar", SIDECARS.values(), ids=SIDECARS)
def test_37_sidecars_that_cannot_be_are_refused(folder, sidecar):
    put(folder, "x.bin", DATA)
    path = put(folder, "shard_meta.json", sidecar)
    for options in ({}, {"sidecar": path}, {"sidecar": path, "format": "raw"}):
        refused(folder, FORMAT, UNSUPPORTED, MISMATCH, **options)


def test_37_a_sidecar_that_is_right_is_read(folder):
    """So that the refusals above are for what they seem to be."""
    put(folder, "x.bin", DATA)
    expected = np.frombuffer(DATA, "f4").reshape(3, 2)
    for more in ({}, {"byte_order": "little"}, {"header_bytes": 0}):
        put(folder, "shard_meta.json", SIDECAR | more)
        assert reference.same(read(folder), expected)
    put(folder, "x.bin", expected.astype(">f4").tobytes())
    put(folder, "shard_meta.json", SIDECAR | {"byte_order": "big"})
    assert reference.same(read(folder), expected)


# ---- 39: pointing outside ------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["files", "shards", "paths", "path", "file", "data"])
@pytest.mark.parametrize("target", ["../outside.bin", "{}/outside.bin"])
def test_39_a_sidecar_cannot_point_outside(folder, tmp_path, key, target):
    """It has no key for that; one that looks like it must not be followed."""
    put(tmp_path, "outside.bin", b"\xff" * len(DATA))
    put(folder, "x.bin", DATA)
    put(folder, "shard_meta.json", SIDECAR | {key: [target.format(tmp_path)]})
    try:
        assert reference.same(read(folder), np.frombuffer(DATA, "f4").reshape(3, 2))
    except MusterError as error:
        assert error.status in BAD_FILE


def test_39_a_list_in_a_file_is_the_callers_word(folder, tmp_path):
    """Lists are written by the user, so they may name any place."""
    put(tmp_path, "outside.npy", np.arange(3.0))
    put(folder, "list.txt", b"../outside.npy\n")
    assert read(f"@{folder}/list.txt").tolist() == [0, 1, 2]


# ---- 41: written again while it is read ----------------------------------------------------------


def test_41_a_shard_written_again_between_open_and_read(folder):
    path = put(folder, "x.npy", np.zeros(1000))
    reference.age(path)
    with Dataset(path) as dataset:
        put(folder, "x.npy", np.ones(1000))
        with pytest.raises(MusterError) as error:
            dataset.read()
    assert error.value.status == CHANGED and error.value.path == path

# SPDX-License-Identifier: Apache-2.0
"""The Python package without cuPyNumeric: datasets, loading with NumPy, and its exceptions."""

import copy
import os
import pickle
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from support import cli, env, reference

sys.path.insert(0, str(env.BUILD / "python"))
import muster  # noqa: E402


@pytest.fixture
def parts(folder):
    """Uneven shards, one of them empty."""
    parts = [np.random.default_rng(n).random((n, 3, 2), "f4") for n in (5, 0, 12, 1)]
    for i, part in enumerate(parts):
        reference.put(folder, f"part_{i}.npy", part)
    return parts


# ---- datasets -------------------------------------------------------------------------------------


def test_what_a_dataset_tells(folder, parts):
    dataset = muster.open(folder)
    assert dataset.shape == (18, 3, 2) and dataset.dtype == np.float32 and dataset.format == "npy"
    assert len(dataset) == 18 and dataset.nbytes == 18 * 24 and dataset.row_bytes == 24
    assert [(s.rows, s.first_row) for s in dataset.shards] == [(5, 0), (0, 5), (12, 5), (1, 17)]
    assert [os.path.basename(s.path) for s in dataset.shards] == [f"part_{i}.npy" for i in range(4)]
    times = [os.stat(s.path).st_mtime_ns for s in dataset.shards]
    assert [s.mtime_ns for s in dataset.shards] == times
    assert [s.bytes for s in dataset.shards] == [os.path.getsize(s.path) for s in dataset.shards]
    assert "(18, 3, 2)" in repr(dataset) and "float32" in repr(dataset) and "4 shards" in repr(dataset)


def test_the_plan(folder, parts):
    tiles = muster.open(folder).plan(4)
    assert [(t.row_lo, t.row_hi) for t in tiles] == [(0, 5), (5, 10), (10, 15), (15, 18)]
    assert tiles[3].slices == (muster.Slice(2, 10, 12, 0, 2), muster.Slice(3, 0, 1, 2, 3))
    assert len(muster.open(folder).plan(4, over_decompose=2)) == 6  # ceil(18 / 8) = 3 rows each
    assert [t.row_hi for t in muster.open(folder).plan(4, tile_rows=10)] == [10, 18]


def test_for_notebooks(folder):
    name = "a<b>&_1.npy"
    reference.put(folder, name, np.zeros(3))
    shown = muster.open(os.path.join(folder, name))._repr_html_()
    assert "a&lt;b&gt;&amp;_1.npy" in shown and "<b>" not in shown and "float64" in shown
    for i in range(20):
        reference.put(folder, f"s_{i}.npy", np.zeros(1))
    assert "and 12 more" in muster.open(os.path.join(folder, "s_*.npy"))._repr_html_()


def test_rows_by_a_slice(folder, parts):
    whole, dataset = np.concatenate(parts), muster.open(folder)
    for rows in (slice(None), slice(4, 6), slice(-3, None), slice(5, 5), slice(9, 2), slice(0, 100)):
        assert np.array_equal(dataset[rows], whole[rows])
    for bad in (3, slice(0, 5, 2), "x"):
        with pytest.raises(TypeError):
            dataset[bad]


@pytest.mark.parametrize(
    "kind", ["?", "i1", "<u2", ">i4", "f2", ">f8", "c8", "c16", "M8[ns]", "m8[s]", "M8[D]"]
)
def test_every_dtype_is_numpy_s(folder, kind):
    whole = np.arange(24).reshape(6, 4).astype(kind)
    reference.put(folder, "a.npy", whole)
    loaded = muster.load(folder)
    assert loaded.dtype == whole.dtype.newbyteorder("=") and np.array_equal(loaded, whole)


def test_options_of_open(folder):
    reference.put(folder, "x.bin", np.arange(12, dtype=">i2").tobytes())
    with pytest.raises(muster.UsageError, match="source_dtype="):
        muster.open(folder, format="raw")
    dataset = muster.open(folder, source_dtype=">i2", row_shape=(2,), header_bytes=4, dtype=np.float64)
    assert dataset.shape == (5, 2) and dataset.dtype == np.float64
    assert np.array_equal(dataset[:], np.arange(2, 12).reshape(5, 2))
    for i in (1, 3):
        reference.put(folder, f"n_{i}.npy", np.full((2,), i))
    paths = [os.path.join(folder, f"n_{i}.npy") for i in (3, 1)]
    assert np.array_equal(muster.load(paths, allow_gaps=True, order="list"), [3, 3, 1, 1])
    assert muster.open(paths, allow_gaps=True, stack=True).shape == (2, 2)
    assert any("n_2.npy" in note for note in muster.open(paths, order="number", allow_gaps=True).notes)


# ---- loading --------------------------------------------------------------------------------------


def test_loading_into_memory_of_all_kinds(folder, parts):
    whole = np.concatenate(parts)
    assert np.array_equal(muster.load(folder), whole)
    assert np.array_equal(muster.load(folder, rows=(3, -2)), whole[3:-2])
    assert np.array_equal(muster.load(folder, rows=slice(None, 7), dtype="f8"), whole[:7])
    assert np.array_equal(muster.load(muster.open(folder), tile_rows=1, threads=3), whole)
    wide = np.zeros((40, 3, 5), "f4")
    view = wide[2:38:2, :, 1:3]
    assert muster.load(folder, out=view) is view and np.array_equal(view, whole)
    assert not wide[1::2].any() and not wide[:, :, 0].any()
    block = bytearray(18 * 24)
    memory = memoryview(block).cast("f", (18, 3, 2))
    assert muster.load(folder, out=memory) is memory and bytes(block) == whole.tobytes()


class DlPack:
    """As other libraries hand out their memory."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **options):
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


def test_loading_into_what_dlpack_gives(folder, parts):
    array = np.zeros((18, 3, 2), "f4")
    given = DlPack(array)
    assert muster.load(folder, out=given) is given and np.array_equal(array, np.concatenate(parts))


@pytest.mark.parametrize(
    "out, words",
    [
        (np.zeros((17, 3, 2), "f4"), "its shape is (17, 3, 2), that of the dataset (18, 3, 2)"),
        (np.zeros((18, 3, 2), "f8"), "its dtype is float64, that of the dataset float32"),
        ([0] * 18, "list gives no memory"),
        (bytes(18 * 24), "its shape is"),
        (np.broadcast_to(np.float32(0), (18, 3, 2)), "may not be written"),
    ],
)
def test_memory_that_will_not_do(folder, parts, out, words):
    with pytest.raises(muster.UsageError) as raised:
        muster.load(folder, out=out)
    assert words in str(raised.value)


def test_progress(folder):
    reference.put(folder, "a.npy", np.zeros(3_000_000))
    told = []
    muster.load(folder, progress=told.append)
    assert told and told[-1].bytes_done == told[-1].bytes == 24_000_000
    assert [p.bytes_done for p in told] == sorted(p.bytes_done for p in told)


def test_progress_that_raises(folder):
    class Enough(Exception):
        pass

    def stop(_):
        raise Enough

    reference.put(folder, "a.npy", np.zeros(3))
    for path in (folder, "null:200000x1000:f4"):
        with pytest.raises(Enough):
            muster.load(path, progress=stop)


def test_other_threads_run_meanwhile():
    """The interpreter's lock is not held during a load."""
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    begun = time.perf_counter()
    muster.load("null:400000x100:f8", progress=False)
    seconds = time.perf_counter() - begun
    during = counted[0]
    stop.set()
    counter.join()
    assert during > 0 or seconds < 0.01


def test_ctrl_c(folder):
    """Nothing writes any more when the exception is there, so the memory may go."""
    code = """
import _thread, sys, threading, time
import numpy as np
import muster
begun = time.perf_counter()
caught = 0
while caught < 5 and time.perf_counter() - begun < 40:  # on a fast machine a load may be over before
    timer = threading.Timer(0.03, _thread.interrupt_main)
    timer.start()
    try:
        muster.load("null:400000x250:f4", dtype="f8", threads=2, progress=False)
        timer.join()
        time.sleep(0.05)
    except KeyboardInterrupt:
        caught += 1
        assert not [t for t in threading.enumerate() if t.name == "muster-load"]
        np.ones(10_000_000)
print("caught", caught)
"""
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", code],
        env=os.environ | {"PYTHONPATH": str(env.BUILD / "python")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and "caught" in done.stdout, done.stderr


@pytest.mark.parametrize("work", ["dataset[:]", "muster.load(dataset, progress=False)"])
def test_daemon_threads_that_read_at_the_end(work):
    """The dataset stays, so that the end of the program is none in a crash."""
    code = f"""
import atexit, threading, time
atexit.register(time.sleep, 0.5)  # behind all that is registered later: the threads go on meanwhile
import muster
dataset = muster.open("null:100000x250:f4")
def read():
    while True:
        {work}
for _ in range(3):
    threading.Thread(target=read, daemon=True).start()
time.sleep(0.2)
"""
    variables = {"PYTHONPATH": str(env.BUILD / "python"), "MALLOC_PERTURB_": "165"}
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | variables, timeout=100)
    assert done.returncode == 0


def test_rows_by_a_slice_are_read_in_pieces(folder, monkeypatch):
    """So that Ctrl-C is heard between them."""
    whole = np.arange(3_000_000).reshape(-1, 3)
    reference.put(folder, "a.npy", whole)
    dataset, pieces = muster.open(folder), []
    read_rows = muster.Dataset.read_rows

    def noted(self, lo, hi, *rest):
        pieces.append((lo, hi))
        read_rows(self, lo, hi, *rest)

    monkeypatch.setattr(muster.Dataset, "read_rows", noted)
    monkeypatch.setattr("muster.dataset._PIECE", 1_000_000)
    assert np.array_equal(dataset[5:-5], whole[5:-5])
    assert len(pieces) == 25 and pieces[0][0] == 5 and pieces[-1][1] == len(whole) - 5
    assert all(a[1] == b[0] for a, b in zip(pieces, pieces[1:]))


# ---- what goes wrong ------------------------------------------------------------------------------


def test_errors_are_built_in_ones_too(folder, parts):
    with pytest.raises(FileNotFoundError) as missing:
        muster.open(os.path.join(folder, "gone"))
    assert isinstance(missing.value, muster.NotFoundError) and missing.value.filename.endswith("gone")
    reference.put(folder, "part_2.npy", np.zeros((12, 3, 2)))
    with pytest.raises(ValueError) as wrong:
        muster.open(folder)
    error = wrong.value
    assert isinstance(error, muster.DataError) and error.file.endswith("part_2.npy")
    assert (error.found, error.expected) == ("float64", "float32")
    reference.put(folder, "part_3.npy", np.zeros((1, 4), "f4"))
    with pytest.raises(muster.Error) as both:
        muster.open(folder)
    assert [os.path.basename(f.file) for f in both.value.faults] == ["part_2.npy", "part_3.npy"]
    assert both.value.faults[1].found == "(4,)" and both.value.faults[1].expected == "(3, 2)"
    assert "part_2.npy" in str(both.value) and "part_3.npy" in str(both.value)


def test_a_truncated_file(folder):
    path = reference.put(folder, "a.npy", np.zeros(1000))
    os.truncate(path, 5000)
    with pytest.raises(muster.DataError) as raised:
        muster.load(folder)
    assert raised.value.file == path and raised.value.offset == 5000
    assert (raised.value.found, raised.value.expected) == ("5000 bytes", "8128 bytes")


def test_a_file_that_vanishes(folder, parts):
    dataset = muster.open(folder)
    os.unlink(os.path.join(folder, "part_2.npy"))
    with pytest.raises(muster.ChangedError) as raised:
        muster.load(dataset)
    assert raised.value.file.endswith("part_2.npy") and isinstance(raised.value, OSError)


def test_verify(folder, parts):
    with pytest.raises(muster.NotFoundError):
        muster.load(folder, verify=True)
    cli.ok("seal", folder)
    assert np.array_equal(muster.load(folder, verify=True), np.concatenate(parts))
    reference.put(folder, "part_3.npy", np.zeros((1, 3, 2), "f4"))
    with pytest.raises(muster.CheckError) as raised:
        muster.load(folder, verify=True)
    assert raised.value.file.endswith("part_3.npy")


@pytest.mark.parametrize(
    "options, words",
    [
        ({"backend": "dask"}, "'dask' is none of auto, cupynumeric, numpy"),
        ({"order": "size"}, "'size' is none of"),
        ({"direct": "sometimes"}, "'sometimes' is none of"),
        ({"rows": slice(0, 5, 2)}, "leaves rows out"),
        ({"rows": (0, 19)}, "18 rows"),
        ({"rows": 5}, "rows"),
        ({"rows": range(5)}, "rows"),
        ({"rows": (0, 1.5)}, "rows"),
        ({"row_shape": 5}, "row_shape"),
        ({"threads": -1}, "threads"),
        ({"header_bytes": -1}, "header_bytes"),
        ({"dtype": "what"}, "what"),
        ({"columns": ["a"]}, "columns"),
        ({"dataset": "/x"}, "dataset"),
        ({"backend": "cupynumeric"}, "install nvidia-cupynumeric"),
    ],
)
def test_arguments_that_make_no_sense(folder, parts, options, words):
    with pytest.raises(ValueError) as raised:
        muster.load(folder, **options)
    assert isinstance(raised.value, muster.Error) and words in str(raised.value)


@pytest.mark.parametrize("path", [None, 5, "a\0b", []])
def test_paths_that_make_no_sense(path):
    with pytest.raises(muster.Error):
        muster.load(path)


def test_notes_are_warnings(folder):
    for i in (1, 2, 10):
        reference.put(folder, f"s_{i}.npy", np.full(2, i))
    paths = sorted(str(p) for p in folder.glob("*.npy"))
    with pytest.warns(muster.DatasetWarning, match='sorts their numbers as text.*order="number"'):
        assert np.array_equal(muster.load(paths), [1, 1, 10, 10, 2, 2])
    reference.put(folder, "s_3.npy", np.full(2, 3))
    (folder / "readme.md").write_text("x")
    with pytest.raises(muster.DataError, match="allow_gaps=True"):
        muster.open(folder)
    with pytest.warns(muster.DatasetWarning, match="1 other file passed over"):
        muster.load(folder, allow_gaps=True)


def test_a_number_is_no_row_shape(folder):
    reference.put(folder, "a.bin", b"")
    with pytest.raises(muster.UsageError, match=r"row_shape: 5 is no shape: .* such as \(5,\)"):
        muster.open(folder, format="raw", source_dtype="f4", row_shape=5)


def test_advice_is_for_python(folder):
    reference.put(folder, "a.npy", np.array(1, "f4"))
    with pytest.raises(muster.DataError, match="stack=True makes one row"):
        muster.load(folder)
    reference.put(folder, "b.bin", b"x" * 8)
    with pytest.raises(muster.UsageError, match="give source_dtype= and row_shape=,"):
        muster.load(os.path.join(folder, "b.bin"))


def test_an_array_larger_than_memory():
    for load in (muster.load, lambda path: muster.open(path)[:]):
        with pytest.raises(MemoryError) as raised:
            load("null:1000000000000x1000:f8")
        assert isinstance(raised.value, muster.Error)
        assert "8,000,000,000,000,000 bytes" in str(raised.value)


def test_errors_travel(folder):
    """Between processes, and short enough for a task of Legate."""
    for kind in (muster.DataError, muster.FileError, muster.ChangedError, muster.OutOfMemoryError):
        error = kind("what", "/" + "x" * 4094, 7, "found", "expected", 5)
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is kind and again.message == "what" and again.offset == 7
        assert again.found == "found" and again.file == "..." + "x" * 400 and again.status == error.status
        assert len(pickle.dumps(error)) < 1000


def test_copies_are_the_dataset_itself(folder, parts):
    dataset = muster.open(folder)
    assert copy.copy(dataset) is dataset and copy.deepcopy([dataset])[0] is dataset
    with pytest.raises(TypeError, match="open it again"):
        pickle.dumps(dataset)


def test_names_that_are_not_utf8(folder):
    path = os.fsencode(str(folder)) + b"/\xff\xfe.npy"
    with open(path, "wb") as file:
        np.save(file, np.arange(3))
    assert np.array_equal(muster.load(path), [0, 1, 2])
    assert os.fsencode(muster.open(folder).shards[0].path) == path


def test_a_library_of_another_version(tmp_path):
    """Its structs may be others: the import says so, instead of a crash later."""
    source = tmp_path / "other.c"
    source.write_text(
        '#include "muster/version.h"\n'
        'static const muster_layout layouts[] = {{"muster_error", 4000}};\n'
        "const muster_layout *muster_layouts(size_t *count) { *count = 1; return layouts; }\n"
        'const char *muster_version(void) { return "9.9.9"; }\n'
        "int muster_abi_version(void) { return MUSTER_ABI_VERSION; }\n"
    )
    other = tmp_path / "libother.so"
    subprocess.run(["cc", "-shared", "-fPIC", f"-I{env.SOURCE}/include", "-o", other, source], check=True)
    for library, words in [(other, "9.9.9 is not the one"), (tmp_path / "gone.so", "cannot be loaded")]:
        done = subprocess.run(
            [sys.executable, "-c", "import muster"],
            env=os.environ | {"PYTHONPATH": str(env.BUILD / "python"), "MUSTER_LIBRARY": str(library)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 1 and "ImportError" in done.stderr and words in done.stderr

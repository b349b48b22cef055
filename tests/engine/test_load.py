# SPDX-License-Identifier: Apache-2.0
"""Loading into cuPyNumeric on the real Legate: what comes must be what NumPy reads from the same files.

These tests run in one process of Legate, as a user's program would: see tests/support/engine.sh.
"""

import gc
import os
import subprocess
import sys
import threading

import cupynumeric as cn
import numpy as np
import pytest
from legate.core import as_logical_array, get_legate_runtime
from support import load_cases, reference

import muster


def shards(folder, counts, trailing=(), dtype="f4", order="C", seed=0):
    """npy files of so many rows each, and all of it as one array."""
    random = np.random.default_rng(seed)
    parts = []
    for i, count in enumerate(counts):
        part = (random.random((count, *trailing)) * 100).astype(dtype)
        reference.put(folder, f"s_{i:05}.npy", np.asarray(part, order=order))
        parts.append(part)
    return np.concatenate(parts).astype(np.dtype(dtype).newbyteorder("="))


def same(array, expected):
    assert isinstance(array, cn.ndarray)
    found = np.asarray(array)
    assert found.dtype == expected.dtype and found.shape == expected.shape
    assert found.tobytes() == np.ascontiguousarray(expected).tobytes()


@pytest.mark.parametrize("case", load_cases.CASES, ids=lambda case: case.name)
def test_what_arrives(folder, case):
    expected = case.expected(case.make(folder))
    assert load_cases.same(case.load(muster, cn, folder), expected)


def test_dates_are_the_integers_that_they_are(folder):
    expected = np.arange("2024-01", "2024-03", dtype="M8[D]")
    reference.put(folder, "a.npy", expected)
    with pytest.warns(muster.DatasetWarning, match="int64"):
        same(muster.load(folder), expected.astype("i8"))


# ---- out -------------------------------------------------------------------------------------------


def test_into_stores_and_logical_arrays(folder):
    expected = shards(folder, (31, 59), (6,), "f8")
    for pick in (lambda array: array, lambda array: array.data):
        base = cn.zeros((90, 6))
        out = pick(as_logical_array(base))
        assert muster.load(folder, out=out) is out
        same(base, expected)


def test_the_array_is_used_before_and_after(folder):
    """Tasks of cuPyNumeric around the load see what they must see."""
    expected = shards(folder, (500, 500), (6,), "f8")
    array = cn.ones((1000, 6))
    array *= 3
    before = array.sum()
    muster.load(folder, out=array)
    array += 1
    assert before == 18000
    same(array, expected + 1)


@pytest.mark.parametrize(
    "out, words",
    [
        (lambda: cn.zeros((89, 6)), "its shape is (89, 6), that of the dataset (90, 6)"),
        (lambda: cn.zeros((90, 6), "f4"), "its dtype is float32, that of the dataset float64"),
        (lambda: cn.broadcast_to(cn.zeros(6), (90, 6)), "may not be written to"),
        (lambda: as_logical_array(cn.zeros(6)).data.promote(0, 90), "several cells are one place"),
    ],
)
def test_arrays_that_will_not_do(folder, out, words):
    shards(folder, (90,), (6,), "f8")
    with pytest.raises(muster.UsageError) as raised:
        muster.load(folder, out=out())
    assert words in str(raised.value)


# ---- which backend ---------------------------------------------------------------------------------


def test_auto_takes_what_is_there(folder):
    expected = shards(folder, (10,))
    assert isinstance(muster.load(folder), cn.ndarray)  # imported above
    assert isinstance(muster.load(folder, backend="numpy"), np.ndarray)
    local = np.zeros(10, "f4")
    assert muster.load(folder, out=local) is local and np.array_equal(local, expected)


@pytest.mark.parametrize("rank, kind", [(None, "ndarray numpy"), ("0", "ndarray cupynumeric")])
def test_auto_starts_no_runtime(folder, rank, kind):
    shards(folder, (10,))
    code = (
        "import sys, muster; a = muster.load(sys.argv[1]);"
        "print(type(a).__name__, type(a).__module__.partition('.')[0], 'legate' in sys.modules)"
    )
    variables = {k: v for k, v in os.environ.items() if k != "LEGATE_GLOBAL_RANK"}
    if rank is not None:
        variables["LEGATE_GLOBAL_RANK"] = rank
    done = subprocess.run(
        [sys.executable, "-c", code, folder], env=variables, capture_output=True, text=True, timeout=100
    )
    assert f"{kind} {rank is not None}" in done.stdout.splitlines(), done.stderr


# ---- what goes wrong -------------------------------------------------------------------------------


def still_works(folder):
    """The process and the runtime are usable after an error."""
    whole = shards(folder, (20, 30), (2,))
    same(muster.load(folder), whole)
    assert float(cn.arange(10).sum()) == 45


def vanished(path):
    os.unlink(path)


def cut(path):
    os.truncate(path, 200)


def changed(path):
    with open(path, "ab") as file:
        file.write(b"x")


def became_a_folder(path):
    os.unlink(path)
    os.mkdir(path)


@pytest.mark.parametrize("happens", [vanished, cut, changed, became_a_folder])
@pytest.mark.parametrize("over", [1, 4])
def test_a_file_that_changes_before_it_is_read(folder, tmp_path, happens, over):
    shards(folder, (50, 60, 70), (3,))
    dataset = muster.open(folder)
    path = dataset.shards[1].path
    happens(path)
    with pytest.raises(muster.Error) as raised:
        muster.load(dataset, backend="cupynumeric", over_decompose=over)
    assert raised.value.file == path and isinstance(raised.value, OSError)
    other = tmp_path / "other"
    other.mkdir()
    still_works(other)


@pytest.mark.parametrize("name", [b"\xff\xfe", b"d" * 250 + b"/" + b"e" * 250 + b"/" + b"f" * 250])
def test_a_fault_in_a_file_of_an_odd_name(folder, tmp_path, name):
    """Texts that leave a task must be short, and UTF-8: else Legate ends the process."""
    place = os.path.join(os.fsencode(folder), name, *[b"g" * 250] * 5)
    os.makedirs(place)
    path = os.path.join(place, b"s.npy")
    with open(path, "wb") as file:
        np.save(file, np.arange(300.0))
    dataset = muster.open(path)
    os.unlink(path)
    with pytest.raises(muster.ChangedError) as raised:
        muster.load(dataset, over_decompose=3)
    assert os.fsencode(raised.value.file) == path
    other = tmp_path / "other"
    other.mkdir()
    still_works(other)


def test_garbage_in_cycles(folder):
    """Is not collected where it would end the process: in tasks, or on threads of muster."""
    expected = shards(folder, (300, 200), (2,))

    class Node:
        def __init__(self):
            self.array, self.me = cn.ones(10), self

    threshold = gc.get_threshold()
    gc.set_threshold(1)
    try:
        for turn in range(20):
            Node()
            backend = "numpy" if turn % 2 else "cupynumeric"
            loaded = muster.load(folder, backend=backend, over_decompose=4, progress=lambda _: [[]])
            assert np.array_equal(np.asarray(loaded), expected)
    finally:
        gc.set_threshold(*threshold)


def test_faults_found_before(folder, tmp_path):
    shards(folder, (50, 60), (3,))
    path = reference.put(folder, "s_00001.npy", np.zeros((60, 4), "f4"))
    with pytest.raises(muster.DataError) as raised:
        muster.load(folder)
    assert raised.value.file == path and raised.value.found == "(4,)"
    os.truncate(path, 300)
    with pytest.raises(muster.DataError) as raised:
        muster.load(folder)
    assert raised.value.file == path
    with pytest.raises(FileNotFoundError):
        muster.load(os.path.join(folder, "gone"))
    other = tmp_path / "other"
    other.mkdir()
    still_works(other)


def test_an_array_larger_than_legate_s_memory(folder):
    """Legate itself would end the process: it is told before, with the option to raise."""
    with pytest.raises(MemoryError) as raised:
        muster.load("null:1000000x1000:f8")
    assert "--sysmem" in str(raised.value) and "8,000,000,000" in str(raised.value)
    with pytest.raises(MemoryError):
        muster.load("null:1000x1048576:u1")  # all that there is
    still_works(folder)


@pytest.mark.parametrize("shape, dtype", [((2,) + (1,) * 6, "f4"), ((4,), "longdouble")])
def test_arrays_that_legate_has_not(folder, tmp_path, shape, dtype):
    path = reference.put(folder, "s_7.npy", np.zeros(shape, dtype))
    with pytest.raises(muster.DataError, match="at most 6 axes|has no arrays of"):
        muster.load(path)
    os.unlink(path)
    still_works(folder)


def test_another_thread_is_told(folder):
    """Legate itself would end the process."""
    shards(folder, (20,), (2,))
    raised = []

    def load(backend):
        try:
            muster.load(folder, backend=backend)
        except muster.UsageError as error:
            raised.append(str(error))

    for backend in ("cupynumeric", "numpy"):
        thread = threading.Thread(target=load, args=(backend,), name="another")
        thread.start()
        thread.join()
    assert len(raised) == 1 and "MainThread, and this is another" in raised[0]
    still_works(folder)


@pytest.mark.parametrize("imports", ["", "import legate.core"], ids=["starts it", "does not"])
def test_the_thread_that_starts_legate_may_load(folder, imports):
    shards(folder, (20,), (2,))
    code = f"""
import sys, threading
{imports}
import muster
def load():
    try:
        print("sum", len(muster.load(sys.argv[1], backend="cupynumeric")), flush=True)
    except muster.UsageError as error:
        print("told", error, flush=True)
thread = threading.Thread(target=load)
thread.start()
thread.join()
"""
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, timeout=100)
    assert ("told Legate takes" if imports else "sum 20") in done.stdout, done.stderr


def test_a_part_of_the_machine(folder):
    expected = shards(folder, (20, 30), (2,))
    with get_legate_runtime().get_machine()[:1]:
        same(muster.load(folder), expected)


def test_a_failing_task_leaves_no_load_behind(folder):
    from muster import _legate

    shards(folder, (50,), (3,))
    dataset = muster.open(folder)
    os.unlink(dataset.shards[0].path)
    with pytest.raises(muster.Error):
        muster.load(dataset)
    assert not _legate._loads


def test_progress_that_raises(folder):
    expected = shards(folder, (2000,), (50,))

    def stop(_):
        raise KeyError("enough")

    with pytest.raises(KeyError):
        muster.load(folder, progress=stop)
    same(muster.load(folder), expected)


def test_progress(folder):
    told = []
    expected = shards(folder, (2000,), (50,))
    same(muster.load(folder, progress=told.append, over_decompose=8), expected)
    assert told[-1].bytes_done == told[-1].bytes == 2000 * 50 * 4

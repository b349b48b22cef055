# SPDX-License-Identifier: Apache-2.0
"""Files that change or vanish, readers that fail, callers that stop: an error that names the file."""

import ctypes
import os
import pathlib
import random
import shutil
import threading
import time

import numpy as np
import pytest
from support import env, libmuster, reference
from support.libmuster import (
    CANCELLED,
    CHANGED,
    EXISTS,
    IO,
    MISMATCH,
    NOT_FOUND,
    USAGE,
    Dataset,
    MusterError,
    ReaderDataset,
)

ROWS = 500


def shards(folder, count=3, rows=ROWS):
    """Old files, so that any change shows in their times."""
    paths = []
    for i in range(count):
        path = reference.put(folder, f"s{i}.npy", np.arange(i * rows, (i + 1) * rows, dtype="i8"))
        reference.age(path)
        paths.append(path)
    return paths


def rewritten(path):
    with open(path, "r+b") as file:
        file.seek(-8, 2)
        file.write(bytes(8))


def replaced(path):
    np.save(path + ".new.npy", np.zeros(ROWS, "i8"))
    os.rename(path + ".new.npy", path)


def replaced_with_same_time(path):
    stat = os.stat(path)
    replaced(path)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def grown(path):
    with open(path, "ab") as file:
        file.write(bytes(8))


def truncated(path):
    os.truncate(path, os.path.getsize(path) - 8)


def truncated_with_same_time(path):
    stat = os.stat(path)
    truncated(path)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def emptied(path):
    os.truncate(path, 0)


def removed(path):
    os.unlink(path)


def became_a_folder(path):
    os.unlink(path)
    os.mkdir(path)


def became_a_dangling_link(path):
    os.unlink(path)
    os.symlink("nowhere", path)


def became_a_fifo(path):
    os.unlink(path)
    os.mkfifo(path)


CHANGES = [
    rewritten,
    replaced,
    replaced_with_same_time,
    grown,
    truncated,
    truncated_with_same_time,
    emptied,
    removed,
    became_a_folder,
    became_a_dangling_link,
    became_a_fifo,
]


def raises(status, where, function, *arguments, **options):
    """The error with one of these statuses, of the file `where` unless that is None."""
    statuses = (status,) if isinstance(status, str) else status
    with pytest.raises(MusterError) as error:
        function(*arguments, **options)
    assert error.value.status in statuses, error.value
    assert where is None or error.value.path == where, error.value
    return error.value


@pytest.mark.parametrize("change", CHANGES, ids=lambda c: c.__name__)
@pytest.mark.parametrize("kind", ["npy", "raw"])
def test_41_a_shard_that_changed_since_it_was_discovered(folder, tmp_path, change, kind):
    paths = shards(folder)
    options = {}
    if kind == "raw":
        options = {"format": "raw", "source_dtype": "i8", "row_shape": (), "header_bytes": 128}
    with Dataset(folder, **options) as dataset:
        expected = dataset.read()
        change(paths[1])
        raises(CHANGED, paths[1], dataset.read)
        raises(CHANGED, paths[1], dataset.read, ROWS - 1, ROWS + 1)
        raises(CHANGED, paths[1], dataset.load, threads=4)
        out = str(tmp_path / "out.npy")
        raises(CHANGED, paths[1], dataset.load, to="npy", path=out)
        assert os.listdir(tmp_path) == ["data"]
        assert reference.same(dataset.read(0, ROWS), expected[:ROWS])
        assert reference.same(dataset.read(2 * ROWS), expected[2 * ROWS :])
        assert dataset.read(ROWS, ROWS).shape == (0,)


def test_41_the_fault_of_the_first_row_is_reported(folder):
    paths = shards(folder, 8)
    with Dataset(folder) as dataset:
        for path in paths[3:]:
            rewritten(path)
        for threads in (1, 2, 8, 8, 8, 8):
            raises(CHANGED, paths[3], dataset.load, threads=threads, tile_rows=50)


def test_41_a_folder_that_vanished(folder):
    paths = shards(folder)
    with Dataset(folder) as dataset:
        shutil.rmtree(folder)
        raises(CHANGED, paths[0], dataset.read)


def test_41_nothing_is_read_of_shards_that_are_not_asked_for(folder):
    paths = shards(folder)
    with Dataset(folder, rows=(0, ROWS)) as dataset:
        removed(paths[1])
        assert dataset.read().tolist() == list(range(ROWS))


def slowly_overwrite(path, rows, delay, done):
    time.sleep(delay)
    with open(path, "r+b") as file:
        file.seek(128)
        for _ in range(8):
            file.write(b"\xff" * rows)
            file.flush()
            time.sleep(0.003)
    done.set()


def test_41_a_shard_written_while_it_is_read(folder):
    """
    A writer strikes at a random moment while the file is read again and again: every read that
    ends well is wholly the old file, and in the end the change is seen.
    """
    rows, draw, during = 400_000, random.Random(env.SEED), 0
    for _ in range(12):
        path = reference.put(folder, "x.npy", np.zeros(rows, "i8"))
        reference.age(path)
        done = threading.Event()
        arguments = (path, rows, draw.random() * 0.02, done)
        writer = threading.Thread(target=slowly_overwrite, args=arguments)
        with Dataset(path) as dataset:
            writer.start()
            with pytest.raises(MusterError) as error:
                for _ in range(10_000):
                    assert not dataset.read().any(), "rows of the new file, and no error"
            during += not done.is_set()
            assert error.value.status == CHANGED and error.value.path == path
            writer.join()
    assert during, "never met a write under way"


def test_41_a_change_between_the_tiles_of_one_load(folder):
    """The progress function, called when some tiles are done, changes a later shard."""
    paths = shards(folder, 40, 20_000)
    with Dataset(folder) as dataset:
        struck = []

        def progress(_, state):
            if not struck and state.contents.rows_done < state.contents.rows:
                struck.append(state.contents.rows_done)
                rewritten(paths[-1])

        function = libmuster.PROGRESS_FN(progress)
        try:
            dataset.load(threads=1, tile_rows=1000, progress=function)
        except MusterError as error:
            assert struck and error.status == CHANGED and error.path == paths[-1]
        else:
            pytest.skip("the load was over before it told of any progress")


# ---- ranges --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lo, hi",
    [(0, 11), (11, 11), (5, 4), (10, 12), (2**63, 2**64 - 1), (0, 2**64 - 1), (2**64 - 1, 0)],
)
def test_ranges_outside_the_dataset_are_refused(folder, lo, hi):
    path = reference.put(folder, "x.npy", np.arange(10))
    into = np.full(64, 7)
    with Dataset(path) as dataset:
        raises(
            USAGE,
            None,
            libmuster.call,
            "muster_read_rows",
            dataset.handle,
            lo,
            hi,
            into.ctypes.data,
            None,
        )
        assert (into == 7).all()


def test_row_ranges_are_pythons(folder):
    path = reference.put(folder, "x.npy", np.arange(10))
    for lo in [None, *range(-10, 11)]:
        for hi in [None, *range(-10, 11)]:
            expected = list(range(10))[lo:hi]
            if expected:
                with Dataset(path, rows=(lo, hi)) as dataset:
                    assert dataset.read().tolist() == expected, (lo, hi)


@pytest.mark.parametrize(
    "rows",
    [(0, 11), (-11, None), (11, None), (0, -11), (-(2**63), None), (2**63 - 1, None), (7, 3)],
)
def test_row_ranges_beyond_the_rows(folder, rows):
    """As in Python, or refused; never other rows."""
    path = reference.put(folder, "x.npy", np.arange(10))
    try:
        with Dataset(path, rows=rows) as dataset:
            assert dataset.read().tolist() == list(range(10))[slice(*rows)]
    except MusterError as error:
        assert error.status in (USAGE, MISMATCH)


# ---- the caller's own readers --------------------------------------------------------------------


class Refusal(Exception):
    status = libmuster.UNSUPPORTED


PARTS = [np.arange(n * 6, dtype="f4").reshape(n, 2, 3) + 100 * n for n in (4, 0, 7, 1)]


def reader(**options):
    return ReaderDataset(
        lambda shard: len(PARTS[shard]),
        lambda shard, lo, hi: PARTS[shard][lo:hi],
        len(PARTS),
        trailing=(2, 3),
        source="f4",
        **options,
    )


def test_a_reader_of_the_callers_own_is_a_dataset_like_any():
    whole = np.concatenate(PARTS)
    with reader() as dataset:
        assert dataset.shape == whole.shape
        assert reference.same(dataset.read(), whole)
        assert reference.same(dataset.read(3, 9), whole[3:9])
        into = np.zeros((12, 3, 2), "f4").transpose(0, 2, 1)
        assert reference.same(dataset.read_into(into), whole)
        array, result = dataset.load(threads=4, tile_rows=1, checksum=True)
        assert reference.same(array, whole) and result.checksum == reference.checksum(whole)
        assert all(path.startswith("<") and path.endswith(">") for path in dataset.names)
        assert not dataset.released
    assert dataset.released == 1


def test_a_reader_with_conversion_and_rows(tmp_path):
    whole = np.concatenate(PARTS)[-6:-1]
    with reader(dtype="f8", rows=(-6, -1)) as dataset:
        assert reference.same(dataset.read(), whole.astype("f8"))
        assert reference.same(dataset.load(threads=3, tile_rows=2)[0], whole.astype("f8"))
    with ReaderDataset(
        lambda s: 3, lambda s, lo, hi: np.arange(lo, hi, dtype=">i2"), 2, source=">i2"
    ) as dataset:
        assert reference.same(dataset.read(), np.array([0, 1, 2] * 2, "i2"))
        dataset.load(to="npy", path=tmp_path / "x.npy")
        assert np.load(tmp_path / "x.npy").tolist() == [0, 1, 2] * 2


def test_a_readers_error_comes_back():
    def bad_read(shard, lo, hi):
        raise Refusal(f"no rows of {shard} today")

    with ReaderDataset(lambda shard: 5, bad_read, 3) as dataset:
        for function in (dataset.read, dataset.load):
            error = raises(libmuster.UNSUPPORTED, None, function)
            assert "no rows of 0 today" in error.message
        assert not dataset.released
    assert dataset.released == 1


def test_a_reader_whose_rows_are_unknown_is_released():
    def bad_rows(shard):
        raise Refusal(f"shard {shard} is away")

    made = ReaderDataset.__new__(ReaderDataset)
    error = raises(libmuster.UNSUPPORTED, None, made.__init__, bad_rows, lambda *_: b"", 3)
    assert "is away" in error.message and made.released == 1


@pytest.mark.parametrize(
    "change",
    [
        {"shard_count": 0},
        {"struct_size": 0},
        {"trailing_rank": 64},
        {"trailing_rank": 2**40},
        {"dtype": libmuster.CDtype()},
        {"dtype": libmuster.CDtype(type=99)},
        {"shard_rows": libmuster.SHARD_ROWS_FN()},
        {"read_rows": libmuster.READ_ROWS_FN()},
    ],
    ids=lambda c: next(iter(c)),
)
def test_readers_that_make_no_sense(change):
    """Refused, and released all the same; no shards may also be an empty dataset."""
    with reader() as good:
        made = good.reader
        for name, value in change.items():
            setattr(made, name, value)
        handle = ctypes.c_void_p()
        try:
            libmuster.call("muster_open_reader", ctypes.byref(made), None, ctypes.byref(handle))
            assert "shard_count" in change, "accepted"
            libmuster.lib().muster_dataset_free(handle)
        except MusterError as error:
            assert error.status in (USAGE, NOT_FOUND, libmuster.FORMAT, libmuster.UNSUPPORTED)
            assert good.released == 1 or "struct_size" in change


def test_many_threads_may_read_one_dataset(folder):
    """Each its own rows of one array, all at once."""
    parts = [
        np.arange(i * 1000, i * 1000 + 1000 + i, dtype=">i4").reshape(-1, 1) for i in range(20)
    ]
    for i, part in enumerate(parts):
        reference.put(folder, f"s{i}.npy", part)
    whole = np.concatenate(parts).astype("i4")
    with Dataset(folder) as dataset:
        array = np.full(whole.shape, -1, "i4")
        step = 97
        ranges = list(range(0, len(whole), step))
        random.Random(env.SEED).shuffle(ranges)

        def work(mine):
            for lo in mine:
                hi = min(lo + step, len(whole))
                dataset.read_into(array[lo:hi], lo, hi)

        threads = [threading.Thread(target=work, args=(ranges[i::8],)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert reference.same(array, whole)


# ---- cancelling and files ------------------------------------------------------------------------


@pytest.mark.parametrize("to", ["memory", "npy", "null"])
@pytest.mark.parametrize("threads", [1, 4])
def test_a_load_cancelled_before_it_began(folder, tmp_path, to, threads):
    shards(folder)
    flag = ctypes.c_int(1)
    out = tmp_path / "out.npy"
    options = {"path": out} if to == "npy" else {}
    with Dataset(folder) as dataset:
        raises(
            CANCELLED,
            None,
            dataset.load,
            to=to,
            threads=threads,
            cancel=ctypes.pointer(flag),
            **options,
        )
        flag.value = 0
        dataset.load(to=to, threads=threads, cancel=ctypes.pointer(flag), **options)
    assert out.exists() == (to == "npy")


def test_a_load_cancelled_on_the_way_leaves_the_old_file(tmp_path):
    out = tmp_path / "out.npy"
    np.save(out, np.arange(3))
    flag = ctypes.c_int(0)

    def read(shard, lo, hi):
        flag.value = 1
        return np.zeros(hi - lo)

    with ReaderDataset(lambda shard: 100_000, read, 50) as dataset:
        raises(
            CANCELLED,
            None,
            dataset.load,
            to="npy",
            path=out,
            threads=2,
            tile_rows=1000,
            cancel=ctypes.pointer(flag),
        )
    assert np.load(out).tolist() == [0, 1, 2]
    assert os.listdir(tmp_path) == ["out.npy"]


def test_a_write_cancelled_leaves_nothing(tmp_path):
    flag = ctypes.c_int(1)
    raises(
        CANCELLED,
        None,
        libmuster.write,
        tmp_path / "new",
        rows=100,
        shards=3,
        cancel=ctypes.pointer(flag),
    )
    assert os.listdir(tmp_path) == []


def test_a_file_that_cannot_be_written(folder, tmp_path):
    shards(folder)
    os.mkdir(tmp_path / "dir.npy")
    (tmp_path / "dir.npy" / "keep").write_text("mine")
    with Dataset(folder) as dataset:
        raises(
            (NOT_FOUND, IO), None, dataset.load, to="npy", path=tmp_path / "no" / "such" / "x.npy"
        )
        raises((EXISTS, IO), None, dataset.load, to="npy", path=tmp_path / "dir.npy")
        raises((USAGE, NOT_FOUND, IO), None, dataset.load, to="npy", path="")
        raises(USAGE, None, dataset.load, to="npy")
    assert sorted(os.listdir(tmp_path)) == ["data", "dir.npy"]
    assert (tmp_path / "dir.npy" / "keep").exists()


def test_a_result_does_not_replace_one_of_its_own_shards(folder, tmp_path):
    paths = shards(folder)
    (tmp_path / "link.npy").symlink_to(paths[0])
    before = pathlib.Path(paths[0]).read_bytes()
    with Dataset(folder) as dataset:
        for path in (paths[0], tmp_path / "link.npy"):
            with pytest.raises(MusterError) as error:
                dataset.load(to="npy", path=path)
            assert error.value.status == USAGE
    assert pathlib.Path(paths[0]).read_bytes() == before


def test_a_result_keeps_the_mode_a_new_file_has(folder, tmp_path):
    shards(folder)
    (tmp_path / "plain").write_bytes(b"")
    with Dataset(folder) as dataset:
        dataset.load(to="npy", path=tmp_path / "out.npy")
    assert os.stat(tmp_path / "out.npy").st_mode == os.stat(tmp_path / "plain").st_mode


def test_progress_is_told_and_ends_with_everything(folder):
    shards(folder, 5)
    told = []
    function = libmuster.PROGRESS_FN(
        lambda _, p: told.append(
            (p.contents.rows_done, p.contents.rows, p.contents.bytes_done, p.contents.bytes)
        )
    )
    with Dataset(folder) as dataset:
        dataset.load(threads=4, tile_rows=10, progress=function)
    rows = 5 * ROWS
    assert told[-1] == (rows, rows, 8 * rows, 8 * rows)
    assert told == sorted(told) and all(t[1::2] == (rows, 8 * rows) for t in told)

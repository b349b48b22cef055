# SPDX-License-Identifier: Apache-2.0
"""
Reads past the page cache: the same arrays, whatever lies across the edges of pages and of windows of
8 MiB, and the same errors.
"""

import os
import re
import shutil
import subprocess
import tempfile

import numpy as np
import pytest
from support import cli, env, reference
from support.destinations import Destination
from support.libmuster import CHANGED, Dataset, MusterError

WINDOW = 8 * 2**20
HEADER = 128  # of the npy files here


@pytest.fixture
def folder():
    """Not in memory: a file system there need not know of such reads."""
    with tempfile.TemporaryDirectory(prefix="muster-test-", dir=env.BUILD) as name:
        yield name


def can_read_directly(folder):
    path = os.path.join(folder, "probe")
    with open(path, "wb") as file:
        file.write(bytes(4096))
    try:
        os.close(os.open(path, os.O_RDONLY | os.O_DIRECT))
    except OSError:
        return False
    finally:
        os.unlink(path)
    return True


def numbers(count, dtype, seed):
    return np.random.default_rng(seed).integers(0, 100, count).astype(dtype)


# Bytes of a file: on both sides of a page's and of a window's end, counted with the header.
SIZES = [0, 1, WINDOW - HEADER - 1, WINDOW - HEADER, WINDOW - HEADER + 1, WINDOW - 1, WINDOW]
SIZES += [WINDOW + 1, WINDOW + 4096 - HEADER, WINDOW + 4097 - HEADER, 2 * WINDOW - HEADER, 3 * WINDOW + 5]


@pytest.mark.parametrize("direct", ["never", "auto", "always"])
def test_every_size(folder, direct):
    parts = [numbers(size, "u1", size) for size in SIZES]
    paths = [reference.put(folder, f"{i}.npy", part) for i, part in enumerate(parts)]
    whole = np.concatenate(parts)
    with Dataset(paths, direct=direct) as dataset:
        for threads in (1, 2, 5):
            out, _ = dataset.load(threads=threads)
            assert np.array_equal(out, whole)
        # From before a shard's beginning to behind a window's end, and one cell.
        first = np.cumsum([0, *SIZES])
        for lo, hi in [(first[7] - 3, first[8] + 1), (first[11] + WINDOW - 1, len(whole)), (5, 6)]:
            assert np.array_equal(dataset.read(lo, hi), whole[lo:hi])


@pytest.mark.parametrize("stored, wanted", [(">f4", None), ("<i2", "float64"), ("|u1", "int64")])
def test_bytes_that_change_on_the_way(folder, stored, wanted):
    parts = [numbers((size, 3), stored, size).astype(stored) for size in (1_100_001, 900_007)]
    paths = [reference.put(folder, f"{i}.npy", part) for i, part in enumerate(parts)]
    with Dataset(paths, direct="always", dtype=wanted) as dataset:
        out, _ = dataset.load(threads=2)
    whole = np.concatenate(parts)
    assert np.array_equal(out, whole.astype(wanted or whole.dtype.newbyteorder("=")))


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0)])
def test_memory_of_another_layout(folder, order):
    whole = numbers((700, 61, 101), "f4", 1)
    path = reference.put(folder, "a.npy", whole)
    out = Destination(whole.shape, whole.dtype, [(a, -1 if a == 1 else 1, 1, 2) for a in order])
    with Dataset(path, direct="always") as dataset:
        dataset.read_into(out.array)
    out.check(whole)


@pytest.mark.parametrize("cut", [1, 4096, WINDOW, WINDOW + 77])
def test_a_file_that_is_cut(folder, cut):
    path = reference.put(folder, "a.npy", numbers(3 * WINDOW, "u1", 2))
    with Dataset(path, direct="always") as dataset:
        os.truncate(path, os.path.getsize(path) - cut)
        with pytest.raises(MusterError) as raised:
            dataset.load()
    assert raised.value.status == CHANGED and raised.value.path == path


def test_another_file_in_its_place(folder):
    path = reference.put(folder, "a.npy", numbers(2 * WINDOW, "u1", 3))
    with Dataset(path, direct="always") as dataset:
        reference.put(folder, "b.npy", numbers(2 * WINDOW, "u1", 4))
        os.rename(os.path.join(folder, "b.npy"), path)
        with pytest.raises(MusterError) as raised:
            dataset.load()
    assert raised.value.status == CHANGED


# ---- when -----------------------------------------------------------------------------------------------


needs_strace = pytest.mark.skipif(
    shutil.which("strace") is None or cli.sanitized(),
    reason="strace is missing, or sanitizers make calls of their own",
)


def read_directly(folder, *arguments, most_memory=None):
    """Whether the program opened any file for reads past the cache."""
    log = os.path.join(folder, "log")
    command = ["strace", "-f", "-qq", "-e", "trace=openat", "-o", log, env.PROGRAM, "load"]
    limit = f"ulimit -v {most_memory // 1024}; " if most_memory else ""
    command = ["bash", "-c", limit + 'exec "$@"', "-", *command, "--to=null", *arguments]
    done = subprocess.run(command, env=cli.CLEAN, capture_output=True, text=True)
    if "ptrace" in done.stderr.lower():
        pytest.skip("strace may not trace here")
    assert done.returncode == 0, done.stderr
    with open(log) as lines:
        return any(re.search(r"\.npy.*O_DIRECT", line) for line in lines)


def large_file(folder):
    """1.5 GB of zeros that take no space."""
    path = os.path.join(folder, "large.npy")
    np.lib.format.open_memmap(path, "w+", "f8", (3, 2**26))._mmap.close()
    return path


@needs_strace
def test_auto_goes_by_the_free_memory(folder):
    if not can_read_directly(folder):
        pytest.skip("this file system knows no reads past the cache")
    path = large_file(folder)
    assert read_directly(folder, path, most_memory=2 * 10**9)
    assert not read_directly(folder, path, "--direct=never", most_memory=2 * 10**9)
    assert not read_directly(folder, path, "--rows=:1", most_memory=2 * 10**9)
    small = reference.put(folder, "small.npy", numbers(2 * WINDOW, "u1", 5))
    assert not read_directly(folder, small, most_memory=2 * 10**9)
    in_one = ["--direct=always", f"--tile-rows={2 * WINDOW}"]
    assert read_directly(folder, small, *in_one)
    assert not read_directly(folder, small, "--direct=always", f"--tile-rows={WINDOW // 2}")


def test_an_unknown_word():
    done = cli.run("load", "null:3", "--direct=sometimes")
    assert done.status == 2 and "--direct: 'sometimes' is none of auto, always and never" in done.err


def test_a_folder_in_memory():
    """Where older kernels know no such reads."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        part = numbers(2 * WINDOW, "u1", 6)
        with Dataset(reference.put(folder, "a.npy", part), direct="always") as dataset:
            assert np.array_equal(dataset.load()[0], part)


def test_data_without_files():
    with Dataset("null:5x1000000:f8", direct="always") as dataset:
        assert not dataset.load()[0].any()

# SPDX-License-Identifier: Apache-2.0
"""
Damaged HDF5 files: bytes changed anywhere, and cut at many places. Each is read in a process of its
own: libhdf5 itself may crash, which is counted; what muster reads is what h5py reads, or an error.
"""

import collections
import hashlib
import os
import random
import signal
import subprocess

import h5py
import numpy as np
import pytest
from support import cli, env, forked
from support.libmuster import Dataset, lib

SOAK = bool(os.environ.get("MUSTER_SOAK"))
COUNT = 1000 if SOAK else 60
MEMORY = 1 << 30

A = (np.arange(600) * 7 % 251).reshape(60, 10)

SAMPLES = {
    "contiguous": {},
    "gzip": {"chunks": (16, 4), "compression": "gzip", "shuffle": True, "fletcher32": True},
    "lzf": {"chunks": (16, 4), "compression": "lzf"},
    "stored": {"chunks": (7, 10), "maxshape": (None, 10)},
}


def sample(path, kind, libver="earliest"):
    with h5py.File(path, "w", libver=libver) as file:
        file.create_dataset("x", data=A.astype("i4"), **SAMPLES[kind])
    return path.read_bytes()


def digest(array):
    return array.shape, array.dtype.str, hashlib.sha256(array.tobytes()).hexdigest()


def by_muster(path):
    with Dataset(path) as dataset:
        if dataset.rows * dataset.row_bytes > 1 << 24:
            return "large"
        return digest(dataset.load(threads=1)[0])


def by_h5py(path):
    with h5py.File(path) as file:
        names = []
        file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) else None)
        data = file[names[0]][...]
        return digest(data.astype(data.dtype.newbyteorder("=")))


def examine(path, counts):
    """Reads it in both ways; what each came to is counted."""
    kind, found = forked.run(by_muster, path, memory=MEMORY)
    counts[kind] += 1
    if kind == "ended":
        assert found != signal.SIGALRM, "no end"
        return
    if kind == "failed":
        assert found.startswith("MusterError"), found
    elif found != "large":
        other, expected = forked.run(by_h5py, path)
        if other == "done" and expected != found:
            counts["differs"] += 1


def check(path, contents):
    counts = collections.Counter()
    lib()
    for number, content in enumerate(contents):
        path.write_bytes(content)
        try:
            examine(path, counts)
        except BaseException as error:
            error.add_note(f"number {number}")
            raise
    print(dict(counts))
    # libhdf5 1.10 crashes on one or two of a thousand.
    assert counts["ended"] <= 2 + sum(counts.values()) // 100, counts
    assert counts["differs"] == 0, counts
    return counts


def changed(content, count, seed):
    rng = random.Random(seed)
    for _ in range(count):
        bad = bytearray(content)
        for _ in range(rng.choice([1, 1, 1, 2, 8])):
            bad[rng.randrange(len(bad))] = rng.choice([0, 1, 255, rng.randrange(256)])
        yield bytes(bad)


@pytest.mark.parametrize("libver", ["earliest", ("v110", "v110")], ids=["old", "new"])
@pytest.mark.parametrize("kind", SAMPLES)
def test_changed_bytes(tmp_path, kind, libver):
    path = tmp_path / "x.h5"
    content = sample(path, kind, libver)
    check(path, changed(content, COUNT, f"{env.SEED} {kind} {libver}"))


@pytest.mark.parametrize("kind", ["contiguous", "gzip"])
def test_cut(tmp_path, kind):
    """At every byte by soak."""
    path = tmp_path / "x.h5"
    content = sample(path, kind, ("v110", "v110"))
    places = range(0, len(content), 1 if SOAK else 97)
    counts = check(path, (content[:end] for end in places))
    assert counts["done"] == 0


@pytest.mark.parametrize("command", ["inspect", "load"])
def test_the_program_outlives_the_library(tmp_path, command):
    """Whatever is in the file, there is an exit status and one line."""
    path = tmp_path / "x.h5"
    content = sample(path, "gzip")
    for bad in changed(content, 100 if SOAK else 8, env.SEED):
        path.write_bytes(bad)
        ran = cli.run(command, path)
        assert ran.status in (0, 1) and (ran.status == 0 or ran.err.count("\n") == 1), ran


@pytest.mark.skipif(cli.sanitized(), reason="plain libraries are not for it")
@pytest.mark.parametrize("command", ["inspect", "load"])
def test_a_crash_of_the_library_is_told(tmp_path, command):
    """By a library that crashes whatever it is given."""
    source = "#include <stdlib.h>\n__attribute__((constructor)) static void crash(void) { abort(); }\n"
    made = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", tmp_path / "libhdf5_serial.so.103"]
    subprocess.run(made, input=source, text=True, check=True)
    sample(tmp_path / "x.h5", "gzip")
    ran = cli.run(command, "x.h5", cwd=tmp_path, env={"LD_LIBRARY_PATH": str(tmp_path)})
    assert ran.status == 1 and ran.out == "", ran
    assert ran.err.startswith("muster: x.h5: ") and "crashed (signal 6)" in ran.err and ran.err.count("\n") == 1

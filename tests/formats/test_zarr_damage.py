# SPDX-License-Identifier: Apache-2.0
"""
Damaged arrays: bytes changed and files cut short, of the metadata and of chunks. Each is an error of
one line, or other data; never a crash, a hang or much memory. All of it goes on in a process of its
own, which may not take more memory than a little.
"""

import json
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys

import numpy as np
import pytest
from support import env, zarrs
from support.libmuster import Dataset, MusterError

SOAK = bool(os.environ.get("MUSTER_SOAK"))
CHANGES = 1000 if SOAK else 30
CUTS = None if SOAK else 20
ARRAYS = range(24) if SOAK else [3, 8, 21, 33]
MOST_BYTES = 6 << 30  # a chunk may say that it takes 4 GiB; nothing beyond is asked for
KNOWN = {"FORMAT", "UNSUPPORTED", "MISMATCH", "CHANGED", "NOT_FOUND", "IO", "MEMORY", "USAGE"}


def read(path):
    """What muster makes of it: an array, or the status of the error."""
    try:
        with Dataset(path) as dataset:
            if dataset.row_bytes * dataset.rows > 64 << 20:
                return "large"
            return dataset.read()
    except MusterError as error:
        assert error.status in KNOWN and error.message, error
        return error.status


def cuts(rng, length):
    points = range(length)
    return points if CUTS is None or length <= CUTS else sorted(rng.sample(points, CUTS))


def damaged(rng, content):
    """Each file with one byte changed, at many places, and cut short, at many."""
    for _ in range(CHANGES):
        at = rng.randrange(len(content)) if content else 0
        changed = bytearray(content or b"\0")
        changed[at] = rng.randrange(256)
        yield bytes(changed)
    for length in cuts(rng, len(content)):
        yield content[:length]


def checked(path):
    """Whether a changed byte of a chunk cannot go unseen."""
    metadata = path / "zarr.json"
    if not metadata.exists():
        return False
    codecs = json.loads(metadata.read_text())["codecs"]
    return codecs[-1]["name"] == "crc32c"


def damage_one(number, folder):
    rng = random.Random(f"damage {number}")
    path = pathlib.Path(folder) / str(number)
    expected = zarrs.write(number, path)
    native = expected.astype(expected.dtype.newbyteorder("="))
    files = sorted(p for p in path.rglob("*") if p.is_file())
    kinds = [p for p in files if p.name in ("zarr.json", ".zarray")] + files[-1:]
    for file in kinds:
        content = file.read_bytes()
        is_chunk = file.name not in ("zarr.json", ".zarray")
        for bad in damaged(rng, content):
            file.write_bytes(bad)
            found = read(path)
            if is_chunk and checked(path) and isinstance(found, np.ndarray):
                assert found.tobytes() == native.tobytes()
        file.write_bytes(content)
        assert read(path).tobytes() == native.tobytes()
    shutil.rmtree(path)


@pytest.mark.parametrize("number", ARRAYS)
def test_damage(number, tmp_path):
    script = f"import sys; sys.path[:0] = {sys.path!r}; import test_zarr_damage as t; t.main()"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script, str(number), str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=250 if not SOAK else 3000,
        cwd=pathlib.Path(__file__).parent,
        env=os.environ | {"PYTHONPATH": str(pathlib.Path(__file__).parent)},
    )
    assert done.returncode == 0, done.stderr[-2000:]


def main():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    damage_one(int(sys.argv[1]) + env.SEED * 1000003, sys.argv[2])

# SPDX-License-Identifier: Apache-2.0
"""Random files as h5py writes them: muster reads what NumPy says they hold."""

import os
import random

import numpy as np
import pytest
from support import env, hdf5s
from support.libmuster import Dataset

COUNT = 3000 if os.environ.get("MUSTER_SOAK") else 400
AT_ONCE = 50


def same(found, expected):
    """Bit for bit, in native byte order; NumPy's padding of long doubles is no value."""
    native = expected.astype(expected.dtype.newbyteorder("="))
    assert found.shape == native.shape and found.dtype == native.dtype
    if found.dtype.char in "gG":
        assert np.array_equal(found, native)
    else:
        assert found.tobytes() == native.tobytes()


def destination(rng, shape, dtype):
    """Memory of any order of axes, some backwards, with gaps."""
    order = rng.sample(range(len(shape)), len(shape))
    room = np.zeros([shape[axis] * rng.choice([1, 2]) for axis in order], dtype)
    view = room[tuple(slice(0, shape[axis]) for axis in order)].transpose(np.argsort(order))
    return view[tuple(slice(None, None, rng.choice([1, -1])) for _ in shape)]


def check(number, folder):
    path = folder / f"{number}.h5"
    name, expected = hdf5s.write(number, path)
    rng = random.Random(number)
    options = {} if rng.random() < 0.5 else {"dataset": name}
    with Dataset(path, **options) as dataset:
        assert dataset.format == "hdf5"
        same(dataset.read(), expected)
        rows = len(expected)
        for _ in range(3):
            lo, hi = sorted((rng.randint(0, rows), rng.randint(0, rows)))
            same(dataset.read(lo, hi), expected[lo:hi])
            into = destination(rng, (hi - lo, *expected.shape[1:]), dataset.dtype)
            same(dataset.read_into(into, lo, hi), expected[lo:hi])
        if expected.size:
            same(dataset.load(threads=rng.randint(1, 3))[0], expected)


@pytest.mark.parametrize("first", range(0, COUNT, AT_ONCE))
def test_random_files(first, tmp_path):
    for number in range(first, min(first + AT_ONCE, COUNT)):
        try:
            check(number + env.SEED * 1000003, tmp_path)
        except BaseException as error:
            error.add_note(f"file {number}")
            raise

# SPDX-License-Identifier: Apache-2.0
"""What the tests of formats share: how much to do, ways to read one dataset, damaged files."""

import os
import subprocess

import numpy as np

from support import env
from support.libmuster import Dataset, MusterError

SOAK = bool(os.environ.get("MUSTER_SOAK"))
#: Random files that are compared with the reference, and damaged ones, of each format.
CASES = int(os.environ.get("MUSTER_FORMAT_CASES") or (400 if SOAK else 80))
DAMAGED = int(os.environ.get("MUSTER_FORMAT_DAMAGED") or (1000 if SOAK else 300))


def rng_of(index):
    return np.random.default_rng([env.SEED, index])


def same(found, wanted):
    """Equal dtype, shape and bytes, but that one NaN is as good as another."""
    if found.dtype != wanted.dtype or found.shape != wanted.shape:
        return False
    if found.dtype.kind in "fc":
        return np.array_equal(found, wanted, equal_nan=True)
    return found.tobytes() == wanted.tobytes()


def scattered(rng, shape, dtype):
    """An array of any strides, some of them negative."""
    order = rng.permutation(len(shape))
    steps = [int(rng.integers(1, 3)) for _ in shape]
    base = np.zeros([max(1, shape[i] * steps[i]) for i in order], dtype)
    base = base[tuple(slice(None, shape[i] * steps[i], steps[i]) for i in order)]
    array = base.transpose(np.argsort(order))
    return array[tuple(slice(None, None, int(rng.choice([1, -1]))) for _ in shape)]


def compare(rng, inputs, wanted, **options):
    """The whole, ranges of rows, any strides, all threads: as in `wanted`."""
    with Dataset(inputs, **options) as dataset:
        assert dataset.shape == wanted.shape and dataset.dtype == wanted.dtype, (
            dataset.shape, dataset.dtype, wanted.shape, wanted.dtype)  # fmt: skip
        assert same(dataset.read(), wanted)
        loaded, _ = dataset.load(threads=int(rng.integers(1, 4)))
        assert same(loaded, wanted)
        for _ in range(4):
            lo, hi = sorted(int(i) for i in rng.integers(0, len(wanted) + 1, 2))
            assert same(dataset.read(lo, hi), wanted[lo:hi])
            place = scattered(rng, wanted[lo:hi].shape, wanted.dtype)
            assert same(np.array(dataset.read_into(place, lo, hi)), wanted[lo:hi])
    lo, hi = sorted(int(i) for i in rng.integers(0, len(wanted) + 1, 2))
    with Dataset(inputs, rows=(lo, hi), **options) as dataset:
        assert same(dataset.load()[0], wanted[lo:hi])


def damaged(rng, content, count):
    """Copies with some bytes changed, cut out, doubled, or cut off."""
    for _ in range(count):
        copy = bytearray(content)
        kind = rng.integers(0, 8)
        at = int(rng.integers(0, len(copy)))
        if kind == 0:
            del copy[at:]
        elif kind == 1:
            del copy[at : at + int(rng.integers(1, 9))]
        elif kind == 2:
            copy[at:at] = copy[at : at + int(rng.integers(1, 9))]
        elif kind == 3:
            extreme = [b"\xff" * 4, b"\x00" * 4, b"\xff" * 8, b"\x7f", b"\x00\x00\x00\x80"]
            copy[at : at + 4] = extreme[rng.integers(0, len(extreme))]
        else:
            for _ in range(int(rng.integers(1, 4))):
                copy[int(rng.integers(0, len(copy)))] ^= 1 << int(rng.integers(0, 8))
        yield bytes(copy)


def outcome(path, **options):
    """The array, or the error's status."""
    try:
        with Dataset(path, **options) as dataset:
            if dataset.rows * dataset.row_bytes > 1 << 26:
                return "large"
            return dataset.read()
    except MusterError as error:
        return error.status


def by_recipe(path, wanted, *options):
    """What `muster recipe` would have Python read from one file of the dataset `wanted`."""
    command = [env.PROGRAM, "recipe", path, *options]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    names = {"np": np, "SHAPE": wanted.shape}
    exec(text[text.index("def open_shard") : text.index("def read_rows")], names)
    return names["open_shard"](str(path))

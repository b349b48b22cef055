# SPDX-License-Identifier: Apache-2.0
"""
Arrays of several megabytes: the small ones of the other tests never fill a block. Runs of memory
lie on both sides of powers of two, so that whatever the library cuts at does not divide them.
"""

import functools
import os
import tempfile

import numpy as np
import pytest
from support import datasets, env, reference
from support.destinations import Destination
from support.libmuster import Dataset

MIB = 2**20


@pytest.fixture(scope="module")
def shards():
    """A function that makes two files (a long one and a short one), once: (paths, the whole array)."""
    with tempfile.TemporaryDirectory(prefix="muster-test-", dir=env.SCRATCH) as scratch:

        @functools.cache
        def make(dtype, order, rows, trailing):
            whole = datasets.numeric_array(
                np.random.default_rng(rows), (rows, *trailing), np.dtype(dtype)
            )
            folder = tempfile.mkdtemp(dir=scratch)
            parts = np.split(whole, [rows - rows // 5])
            paths = [
                reference.put(folder, f"{i}.npy", np.asarray(p, order=order))
                for i, p in enumerate(parts)
            ]
            return paths, reference.native(whole)

        yield make


LAYOUTS = {
    "dense": lambda rank: [(a, 1, 0, 0) for a in range(rank)],
    "rows apart": lambda rank: (
        [(0, 1, 0, 0)] + [(a, 1, 0, 3 * (a == rank - 1)) for a in range(1, rank)]
    ),
    "rows backwards": lambda rank: [(a, -1 if a == 0 else 1, 0, 0) for a in range(rank)],
    "every second row": lambda rank: [(a, 2 if a == 0 else 1, 1, 0) for a in range(rank)],
    "every second cell": lambda rank: [(a, 2 if a == rank - 1 else 1, 0, 0) for a in range(rank)],
    "transposed": lambda rank: [(a, 1, 0, 0) for a in reversed(range(rank))],
    "transposed, apart, backwards": lambda rank: [(a, -1, 1, 1) for a in reversed(range(rank))],
}

ARRAYS = [
    ("<f4", "C", 70_001, (16,)),
    ("<f4", "C", 17, (65_537,)),
    ("<f8", "C", 33, (8_191,)),
    ("<f8", "C", 5, (131_073,)),
    ("<f8", "C", 5, (3, 70_001)),
    (">i2", "C", 1_500_001, ()),
    (">f8", "C", 301, (1_001,)),
    ("|u1", "C", 5_000_011, ()),
    ("<c32", "C", 2_003, (37,)),
    ("<f4", "F", 70_001, (16,)),
    ("<f4", "F", 17, (65_537,)),
    (">i4", "F", 3_001, (3, 5, 7)),
    ("<f8", "F", 300_007, (3,)),
    ("|i1", "F", 40_009, (129,)),
    ("<f4", "F", 5, (300_007,)),
    (">f4", "F", 3, (500_009,)),
]


@pytest.mark.parametrize(
    "dtype, order, rows, trailing", ARRAYS, ids=lambda v: str(v).replace(" ", "")
)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_large_arrays_into_any_memory(shards, layout, dtype, order, rows, trailing):
    paths, whole = shards(dtype, order, rows, trailing)
    axes = LAYOUTS[layout](whole.ndim)
    with Dataset(paths) as dataset:
        for lo, hi in ((0, rows), (rows // 3, rows - 1)):
            into = Destination(whole[lo:hi].shape, whole.dtype, axes, offset=5 * (lo > 0))
            dataset.read_into(into.array, lo, hi)
            into.check(whole[lo:hi])
        into = Destination(whole.shape, whole.dtype, axes)
        _, result = dataset.load(into=into.array, threads=3, tile_rows=rows // 4, checksum=True)
        into.check(whole)
        assert result.checksum == reference.checksum(whole)


@pytest.mark.parametrize(
    "dtype, order, rows, trailing",
    ARRAYS[:3] + ARRAYS[5:7] + ARRAYS[9:12],
    ids=lambda v: str(v).replace(" ", ""),
)
@pytest.mark.parametrize("target", ["f4", "f8", "c16"])
def test_large_arrays_converted(shards, target, dtype, order, rows, trailing):
    paths, whole = shards(dtype, order, rows, trailing)
    with np.errstate(all="ignore"):
        expected = whole.astype(target)
    with Dataset(paths, dtype=target) as dataset:
        assert reference.same_values(dataset.read(), expected)
        into = Destination(whole.shape, target, LAYOUTS["rows apart"](whole.ndim))
        dataset.load(into=into.array, threads=2)
        assert reference.same_values(np.array(into.array), expected)
        into.untouched()


@pytest.mark.parametrize(
    "dtype, order, rows, trailing", ARRAYS, ids=lambda v: str(v).replace(" ", "")
)
def test_large_arrays_to_a_file_and_stacked(shards, tmp_path, dtype, order, rows, trailing):
    paths, whole = shards(dtype, order, rows, trailing)
    with Dataset(paths) as dataset:
        dataset.load(to="npy", path=tmp_path / "out.npy", threads=4, over_decompose=3)
    assert reference.same(np.load(tmp_path / "out.npy"), whole)
    os.unlink(tmp_path / "out.npy")
    with Dataset(paths[:1] * 2, stack=True) as dataset:
        part = whole[: rows - rows // 5]
        dataset.load(to="npy", path=tmp_path / "out.npy", threads=2)
    assert reference.same(np.load(tmp_path / "out.npy"), np.stack([part, part]))


def test_large_raw_files(tmp_path):
    array = np.random.default_rng(0).integers(0, 256, (3, MIB + 1, 3), "u1")
    paths = [
        reference.put(tmp_path, f"x{i}.raw", bytes(7) + part.tobytes())
        for i, part in enumerate(array)
    ]
    options = {"format": "raw", "source_dtype": "u1", "row_shape": (3,), "header_bytes": 7}
    with Dataset(paths, **options) as dataset:
        assert reference.same(dataset.read(), array.reshape(-1, 3))
        assert reference.same(dataset.load(threads=5, tile_rows=12_345)[0], array.reshape(-1, 3))
    with Dataset(paths, stack=True, **options) as dataset:
        into = Destination(array.shape, "u1", [(2, 1, 0, 1), (0, -1, 1, 0), (1, 1, 0, 0)])
        dataset.read_into(into.array)
        into.check(array)

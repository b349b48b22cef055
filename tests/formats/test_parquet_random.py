# SPDX-License-Identifier: Apache-2.0
"""Random Parquet files of pyarrow's, read whole and in parts, against NumPy."""

import tempfile
from random import Random

import numpy as np
import pytest
from support import datasets, env, parquet, reference, tables
from support.libmuster import Dataset

AT_ONCE = 20


def check(seed):
    random = Random(seed)
    with tempfile.TemporaryDirectory(prefix="muster-test-", dir=env.SCRATCH) as folder:
        made = parquet.make(seed, folder)
        expected = made.expected
        inputs = folder if len(made.paths) > 1 and random.random() < 0.5 else made.paths
        with Dataset(inputs, **made.options) as dataset:
            assert dataset.format == "parquet"
            assert (dataset.dtype, dataset.shape) == (expected.dtype, expected.shape)
            for _ in range(3):
                lo, hi = sorted(random.randint(0, len(expected)) for _ in range(2))
                assert reference.same(dataset.read(lo, hi), expected[lo:hi]), (lo, hi)
                into = datasets.destination(random, expected[lo:hi].shape, expected.dtype)
                dataset.read_into(into.array, lo, hi)
                into.check(expected[lo:hi])
            array, result = dataset.load(checksum=True, **datasets.load_options(random))
            assert reference.same(array, expected)
            assert result.checksum == reference.checksum(expected)


@pytest.mark.parametrize("first", range(0, tables.CASES, AT_ONCE))
def test_random_files(first):
    for seed in range(env.SEED + first, env.SEED + min(first + AT_ONCE, tables.CASES)):
        try:
            check(seed)
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise

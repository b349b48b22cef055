# SPDX-License-Identifier: Apache-2.0
"""The scaleoffset filter: what h5py reads is what is right, bit for bit."""

import random

import h5py
import numpy as np
import pytest
from support import env
from support.libmuster import FORMAT, MusterError
from support.reading import read

DTYPES = "u1 i1 u2 i2 >u2 >i2 u4 i4 >i4 u8 i8 >u8 f4 >f4 f8 >f8".split()


def integers(rng, dtype, length):
    """Of few bits, of all bits, or all alike."""
    info = np.iinfo(dtype)
    lo = rng.choice([0, 0, info.min, info.max - 5])
    hi = max(lo, rng.choice([0, 1, 2, 7, 100, info.max // 2, info.max]))
    source = np.random.default_rng(rng.getrandbits(32))
    return source.integers(lo, hi, length, dtype.newbyteorder("="), endpoint=True).astype(dtype)


def write(rng, path, dtype):
    """Parts that were never written are there, too, and values that are the fill value."""
    dtype, length = np.dtype(dtype), rng.choice([1, 5, 29, 300])
    options = {"shuffle": rng.random() < 0.3, "maxshape": (None,), "chunks": (rng.randint(1, 40),)}
    if dtype.kind == "f":
        values = np.random.default_rng(rng.getrandbits(32)).standard_normal(length)
        values = (values * rng.choice([0, 1e-3, 1, 1e4, 1e9])).astype(dtype)
        options["scaleoffset"] = rng.choice([0, 1, 2, 3, 5, 8])
    else:
        values = integers(rng, dtype, length)
        options["scaleoffset"] = rng.choice([0, 0, 0, 8 * dtype.itemsize])
    if rng.random() < 0.6:
        options["fillvalue"] = rng.choice([0, 5])
        values[:: rng.choice([1, 3])] = options["fillvalue"]
    if rng.random() < 0.3:
        options["compression"] = "gzip"
    with h5py.File(path, "w") as file:
        dataset = file.create_dataset("x", (length,), dtype, **options)
        written = rng.choice([length, length, length // 2])
        dataset[:written] = values[:written]


@pytest.mark.parametrize("dtype", DTYPES)
def test_as_the_library_reads_it(tmp_path, dtype):
    rng = random.Random(f"{env.SEED} {dtype}")
    for _ in range(15):
        write(rng, tmp_path / "x.h5", dtype)
        with h5py.File(tmp_path / "x.h5") as file:
            expected = file["x"][...]
        found = read(tmp_path / "x.h5").astype(expected.dtype)
        assert found.tobytes() == expected.tobytes(), (dtype, found, expected)


def is_damaged(path):
    with pytest.raises(MusterError) as error:
        read(path)
    assert error.value.status == FORMAT and "scaleoffset" in error.value.message


@pytest.mark.parametrize("at, byte", [(0, 200), (0, 0xFF), (1, 1)])
def test_more_bits_than_there_are(tmp_path, at, byte):
    path = tmp_path / "x.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=np.arange(40, dtype="i4"), chunks=(40,), scaleoffset=0)
        start = file["x"].id.get_chunk_info(0).byte_offset
    content = bytearray(path.read_bytes())
    content[start + at] = byte
    path.write_bytes(content)
    is_damaged(path)


def test_a_chunk_that_is_too_short(tmp_path):
    with h5py.File(tmp_path / "x.h5", "w") as file:
        dataset = file.create_dataset("x", (40,), "i4", chunks=(40,), scaleoffset=0)
        dataset.id.write_direct_chunk((0,), bytes(20))
    is_damaged(tmp_path / "x.h5")

# SPDX-License-Identifier: Apache-2.0
"""Packed variables of NetCDF-4 beyond what is decoded at once, and missing values of all kinds.

netCDF4 says what the numbers are."""

import netCDF4
import numpy as np
import pytest
from support.libmuster import UNSUPPORTED, Dataset, MusterError

STORED = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", ">i2", ">f8"]
SCALES = [np.float32(0.5), 0.25, None]
NAN = float("nan")


def decoded(path, dtype, name="v"):
    with netCDF4.Dataset(path) as file:
        return np.ma.filled(file[name][...].astype(dtype), np.nan)


def same(found, expected):
    assert found.dtype == expected.dtype and found.shape == expected.shape
    assert np.array_equal(found, expected, equal_nan=True)


def write(path, data, dtype=None, scale=None, offset=None, fill=None, missing=None, **storage):
    dtype = dtype or data.dtype.str[1:]
    axes = ["x", "y", "z"][: data.ndim]
    endian = "big" if dtype.startswith(">") else "native"
    with netCDF4.Dataset(path, "w") as file:
        for name, length in zip(axes, data.shape, strict=True):
            file.createDimension(name, length)
        kind = dtype.removeprefix(">")
        made = file.createVariable("v", kind, axes, fill_value=fill, endian=endian, **storage)
        made.set_auto_maskandscale(False)
        for name, value in (
            ("scale_factor", scale),
            ("add_offset", offset),
            ("missing_value", missing),
        ):
            if value is not None:
                made.setncattr(name, value)
        made[:] = data


@pytest.fixture
def path(folder):
    return folder / "x.nc"


# ---- larger than what is decoded at once: 8 MiB of what is stored and what it becomes -------------


@pytest.fixture(scope="module")
def noise():
    random = np.random.default_rng(20240611)
    return random.integers(0, 100, (1900, 1000), dtype=np.int8)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("dtype", STORED)
def test_rows_beyond_a_piece(path, noise, dtype, scale):
    small = np.dtype(dtype).itemsize <= 2 or dtype == "f4"
    kind = np.dtype("f4" if small and (scale is None or isinstance(scale, np.float32)) else "f8")
    rows = (9 << 20) // ((np.dtype(dtype).itemsize + kind.itemsize) * 1000)
    write(path, noise[:rows].astype(dtype), dtype, scale=scale, fill=7, contiguous=True)
    expected = decoded(path, kind)
    with Dataset(path, decode_cf=True) as dataset:
        same(dataset.read(), expected)
        same(dataset.read(3, rows - 2), expected[3 : rows - 2])


@pytest.mark.parametrize(
    "storage",
    [
        {"contiguous": True},
        {"chunksizes": (7, 300)},
        {"chunksizes": (450, 1000)},
        {"chunksizes": (950, 1000), "zlib": True, "complevel": 1},
        {"chunksizes": (950, 10), "shuffle": True, "zlib": True, "complevel": 1},
    ],
    ids=str,
)
def test_all_ways_to_read_them(path, noise, storage):
    write(path, noise[:950].astype("i2"), scale=0.5, offset=1.0, fill=9, **storage)
    expected = decoded(path, "f8")
    with Dataset(path, decode_cf=True) as dataset:
        for lo, hi in [(0, 950), (1, 950), (449, 901), (450, 900), (949, 950), (5, 5)]:
            same(dataset.read(lo, hi), expected[lo:hi])
        for options in ({"threads": 1}, {"threads": 3}, {"threads": 1, "tile_rows": 950}):
            same(dataset.load(**options)[0], expected)
        for into in (
            np.zeros((1000, 950)).T,
            np.zeros((950, 2000))[:, ::2],
            np.zeros((1900, 1000))[::-2],
            np.zeros((950, 1000))[::-1, ::-1],
        ):
            same(dataset.read_into(into), expected)
        same(dataset.load(into=np.zeros((1000, 950)).T, threads=2)[0], expected)
    with Dataset(path, decode_cf=True, dtype="float32") as dataset:
        same(dataset.read(), expected.astype("f4"))
    with Dataset(path, decode_cf=True, rows=(50, 945)) as dataset:
        same(dataset.read(), expected[50:945])
        same(dataset.read(2, 890), expected[52:940])


def test_three_axes_and_shards(folder):
    parts = []
    for i in range(2):
        data = np.random.default_rng(i).integers(-500, 500, (700, 30, 50), dtype=np.int16)
        write(folder / f"p_{i}.nc", data, scale=np.float32(0.1), offset=2.0, chunksizes=(64, 30, 50))
        parts.append(decoded(folder / f"p_{i}.nc", "f8"))
    expected = np.concatenate(parts)
    with Dataset(folder, decode_cf=True) as dataset:
        same(dataset.read(), expected)
        same(dataset.read(10, 1390), expected[10:1390])
        into = np.zeros((50, 30, 1400)).transpose(2, 1, 0)
        same(dataset.read_into(into), expected)
        same(dataset.load(threads=2)[0], expected)
    with Dataset(folder, decode_cf=True, stack=True) as dataset:
        same(dataset.read(), np.stack(parts))


def test_a_row_that_is_larger_than_a_piece(path, noise):
    write(path, noise.reshape(2, -1).astype("i2"), scale=0.5)
    with Dataset(path, decode_cf=True) as dataset:
        same(dataset.read(), decoded(path, "f8"))


def test_beyond_a_piece_of_a_variable_that_is_shorter_than_its_dimension(path, noise):
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("t", None)
        file.createDimension("x", 1000)
        file.createVariable("t", "i4", ("t",))[:] = np.arange(3000)
        made = file.createVariable("v", "i2", ("t", "x"), fill_value=9)
        made.scale_factor = 0.5
        made.set_auto_maskandscale(False)
        made[:1900] = noise
    expected = decoded(path, "f8")
    assert expected.shape == (3000, 1000) and np.isnan(expected[1900:]).all()
    with Dataset(path, dataset="v", decode_cf=True) as dataset:
        same(dataset.read(), expected)
        same(dataset.read(1000, 2900), expected[1000:2900])


# ---- missing values ------------------------------------------------------------------------------

NUMBERS = [1, 2, NAN, 4, 5, 6]


@pytest.mark.parametrize("dtype", ["f4", "f8", ">f4"])
@pytest.mark.parametrize("scale", [None, np.float32(2), 2.0])
@pytest.mark.parametrize(
    "fill, missing",
    [
        (NAN, None),
        (None, NAN),
        (NAN, NAN),
        (4, NAN),
        (NAN, 4),
        (NAN, np.array([5, NAN, 1])),
        (float("inf"), None),
        (None, float("-inf")),
    ],
)
def test_nan_is_missing_only_itself(path, dtype, scale, fill, missing):
    if missing is not None:
        missing = np.array(missing, dtype.removeprefix(">"))
    data = np.array([*NUMBERS, float("inf"), float("-inf"), -0.0], dtype)
    write(path, data, dtype, scale=scale, fill=fill, missing=missing)
    kind = "f8" if dtype == "f8" or isinstance(scale, float) else "f4"
    expected = decoded(path, kind)
    assert expected[1] == (2 if scale is None else 4)
    with Dataset(path, decode_cf=True) as dataset:
        same(dataset.read(), expected)
        same(dataset.load()[0], expected)


@pytest.mark.parametrize("kind", ["f4", "f8"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_nan_is_missing_in_no_integers(path, kind):
    data = np.array([0, 1, -1, 2], "i2")
    write(path, data, scale=0.5, fill=-1, missing=np.array(NAN, kind))
    expected = decoded(path, "f8")
    assert expected[0] == 0
    with Dataset(path, decode_cf=True) as dataset:
        same(dataset.read(), expected)
    write(path, data, missing=np.array(NAN, kind))
    with Dataset(path, decode_cf=True) as dataset:
        same(dataset.read(), data)


def test_many_missing_values(path):
    data = np.arange(200, dtype="i2")
    write(path, data, missing=np.arange(0, 120, 2, dtype="i2"), fill=199)
    with Dataset(path, decode_cf=True) as dataset:
        same(dataset.read(), decoded(path, "f4"))
    write(path, data, missing=np.arange(64, dtype="i2"), fill=199)
    with pytest.raises(MusterError) as raised:
        Dataset(path, decode_cf=True)
    assert raised.value.status == UNSUPPORTED
    assert "more than 64 missing values" in raised.value.message


@pytest.mark.parametrize("scale", ["0.5", np.array([0.5, 1.0])])
def test_scales_that_are_no_number_are_not_passed_over(path, scale):
    write(path, np.arange(4, dtype="i2"), scale=scale)
    with pytest.raises(MusterError) as raised:
        Dataset(path, decode_cf=True)
    assert "scale_factor or add_offset is no single number" in raised.value.message

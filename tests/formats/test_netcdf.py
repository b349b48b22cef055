# SPDX-License-Identifier: Apache-2.0
"""NetCDF-4, written and read by netCDF4."""

import h5py
import netCDF4
import numpy as np
import pytest
from support import cli, reading
from support.libmuster import FORMAT, MISMATCH, UNSUPPORTED, Dataset, MusterError
from support.stand_ins import run


def read(path, **options):
    with Dataset(path, **options) as dataset:
        assert dataset.format == "netcdf"
        return dataset.read()


def same(found, expected):
    expected = np.asarray(expected)
    assert found.dtype == expected.dtype and found.shape == expected.shape
    np.testing.assert_array_equal(found, expected)


@pytest.fixture
def path(folder):
    return folder / "x.nc"


def as_stored(path, name):
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        return file[name][...]


def decoded(path, name):
    """What netCDF4 makes of it, NaN where it masks."""
    with netCDF4.Dataset(path) as file:
        data = file[name][...]
    kind = data.dtype if data.dtype.kind == "f" else np.result_type(data.dtype, "f4")
    return np.ma.filled(data.astype(kind), np.nan)


@pytest.fixture
def weather(path):
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("time", None)
        file.createDimension("y", 5)
        file.createVariable("time", "f8", ("time",))[:] = np.arange(10)
        file.createVariable("y", "f4", ("y",))[:] = np.arange(5)
        wind = file.createVariable("wind", "f4", ("time", "y"), zlib=True)
        wind[:6] = np.arange(30).reshape(6, 5)
        group = file.createGroup("more")
        group.createVariable("rain", "i2", ("time", "y"), fill_value=-7)[:3] = 1
    return path


def test_variables_but_no_coordinates(weather):
    with pytest.raises(MusterError) as raised:
        read(weather)
    assert raised.value.status == MISMATCH
    assert "holds 2 variables: say which with --dataset: /wind, /more/rain" in raised.value.message
    same(read(weather, dataset="time"), np.arange(10.0))


@pytest.mark.parametrize("name", ["wind", "more/rain", "time", "y"])
def test_variables_are_as_long_as_their_dimensions(weather, name):
    expected = as_stored(weather, name)
    same(read(weather, dataset=name), expected)
    with Dataset(weather, dataset=name) as dataset:
        same(dataset.load(threads=2)[0], expected)
        for lo, hi in [(0, 3), (2, 5)]:
            same(dataset.read(lo, hi), expected[lo:hi])
    if name == "wind":
        assert expected.shape == (10, 5)
        with Dataset(weather, dataset=name) as dataset:
            same(dataset.read(5, 9), expected[5:9])
            into = np.zeros((5, 10), "f4").T[::2]
            same(dataset.read_into(into, 4, 9), expected[4:9])


def test_two_unlimited_dimensions(path):
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("t", None)
        file.createDimension("u", None)
        file.createVariable("a", "i4", ("t", "u"))[:4, :3] = 1
        file.createVariable("b", "i4", ("u", "t"))[:5, :2] = 2
    # NumPy says what they hold: netCDF4 itself misplaces rows that it must pad.
    fill = netCDF4.default_fillvals["i4"]
    a, b = np.full((4, 5), fill, "i4"), np.full((5, 4), fill, "i4")
    a[:4, :3] = 1
    b[:5, :2] = 2
    same(read(path, dataset="a"), a)
    same(read(path, dataset="b"), b)
    with Dataset(path, dataset="b") as dataset:
        same(dataset.read(1, 3), b[1:3])


PACKED = [
    ("i2", np.float32(0.1), np.float32(5), -99),
    ("i2", 0.1, 5.0, -99),
    ("i1", np.float32(0.5), None, None),
    ("i4", np.float32(0.25), np.float32(1), -1),
    ("i4", None, 7.5, None),
    ("u2", np.float32(0.1), 5.0, 65535),
    ("f4", None, None, -9999.0),
    ("f8", None, None, 1e20),
    ("f4", np.float32(2), np.float32(1), -9999.0),
    ("f4", 2.0, 1.0, -9999.0),
    (">i2", np.float32(0.1), np.float32(5), -99),
    ("i8", 0.5, 1.0, -5),
]


@pytest.mark.parametrize("dtype, scale, offset, fill", PACKED)
def test_packed_numbers(path, dtype, scale, offset, fill):
    raw = (np.arange(60) % 50).reshape(12, 5).astype(np.dtype(dtype).newbyteorder("="))
    if fill is not None:
        raw[::3, ::2] = fill
    endian = "big" if dtype.startswith(">") else "native"
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("x", 12)
        file.createDimension("y", 5)
        kind = dtype.removeprefix(">")
        variable = file.createVariable(
            "v", kind, ("x", "y"), fill_value=fill, endian=endian, chunksizes=(5, 5), zlib=True
        )
        variable.set_auto_maskandscale(False)
        if scale is not None:
            variable.scale_factor = scale
        if offset is not None:
            variable.add_offset = offset
        variable[:] = raw
    same(read(path), raw)
    expected = decoded(path, "v")
    if scale is None and offset is None and fill is None:
        expected = raw
    same(read(path, decode_cf=True), expected)
    with Dataset(path, decode_cf=True) as dataset:
        same(dataset.read(3, 8), expected[3:8])
        into = np.zeros((5, 24), expected.dtype).T[::-2]
        same(dataset.read_into(into), expected)
    with Dataset(path) as dataset:
        assert any("--decode-cf" in note for note in dataset.notes) == (
            (scale, offset, fill) != (None, None, None)
        )


def test_several_missing_values(path):
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("x", 8)
        variable = file.createVariable("v", "i2", ("x",))
        variable.missing_value = np.array([3, 5], "i2")
        variable[:] = np.arange(8)
    expected = np.arange(8, dtype="f4")
    expected[[3, 5]] = np.nan
    same(read(path, decode_cf=True), expected)


def test_integers_without_a_scale_that_a_single_cannot_hold(path):
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("x", 3)
        file.createVariable("v", "i4", ("x",), fill_value=-1)[:] = [2**31 - 1, 7, -1]
    same(read(path, decode_cf=True), [2.0**31 - 1, 7, np.nan])


def test_unsigned(path):
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("x", 4)
        variable = file.createVariable("v", "i1", ("x",), fill_value=-1)
        variable._Unsigned = "true"
        variable.scale_factor = np.float32(0.5)
        variable.set_auto_maskandscale(False)
        variable[:] = np.array([0, 127, -128, -1], "i1")
    same(read(path, decode_cf=True), decoded(path, "v"))
    assert read(path, decode_cf=True)[2] == 64


@pytest.mark.parametrize("type_", ["f4", ">f4", "f8"])
@pytest.mark.parametrize("scale", [None, np.float32(0.5)])
@pytest.mark.parametrize("missing", [np.nan, [np.nan, 2]])
def test_a_fill_value_that_is_nan(path, type_, scale, missing):
    """As xarray sets it for all floats."""
    stored = np.array([1, np.nan, 2, -np.inf], "f8")
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("x", 4)
        variable = file.createVariable("v", type_, ("x",), fill_value=np.nan)
        variable[:] = stored
        variable.missing_value = np.array(missing, type_)
        if scale is not None:
            variable.scale_factor = scale
    expected = np.where(stored == 2, np.nan if np.size(missing) > 1 else 2, stored) * (scale or 1)
    same(read(path, decode_cf=True), expected.astype(np.dtype(type_).newbyteorder("=")))


def test_unsigned_by_a_string_of_variable_length(path):
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("x", 3)
        variable = file.createVariable("v", "i1", ("x",))
        variable[:] = [-128, 0, 127]
        variable.setncattr_string("_Unsigned", "true")
        variable.scale_factor = np.float32(2)
    same(read(path, decode_cf=True), np.array([256, 0, 254], "f4"))


def test_contiguous_and_stacked(folder):
    for i in range(3):
        with netCDF4.Dataset(folder / f"day_{i}.nc", "w") as file:
            file.createDimension("x", 4)
            file.createVariable("v", "f8", ("x",), contiguous=True)[:] = np.arange(4) + i
    expected = np.stack([np.arange(4.0) + i for i in range(3)])
    same(read(folder, stack=True), expected)
    same(read(folder), expected.ravel())


def test_copies_of_a_coordinate_are_told(folder):
    """Of what grows from file to file there is none, and --stack keeps copies apart."""
    for i in range(3):
        with netCDF4.Dataset(folder / f"day_{i}.nc", "w") as file:
            file.createDimension("lat", 4)
            file.createDimension("time", None)
            file.createVariable("lat", "f8", ("lat",))[:] = np.arange(4)
            file.createVariable("time", "f8", ("time",))[:] = [2 * i, 2 * i + 1]
            file.createVariable("v", "f4", ("time", "lat"))[:] = np.zeros((2, 4))

    def notes(*inputs, **options):
        with Dataset(inputs or folder, **options) as dataset:
            return dataset.shape, dataset.notes

    shape, (note,) = notes(dataset="lat")
    assert shape == (12,) and "day_0.nc: a coordinate of fixed length" in note and "2 more alike" in note
    assert notes(dataset="time") == ((6,), []) and notes(dataset="v") == ((6, 4), [])
    assert notes(dataset="lat", stack=True) == ((3, 4), [])
    assert notes(folder / "day_0.nc", dataset="lat") == ((4,), [])


def test_without_the_extension_it_is_known_by_its_mark(folder):
    with netCDF4.Dataset(folder / "x.h5", "w") as file:
        file.createDimension("x", 4)
        file.createVariable("v", "f8", ("x",))[:] = 1
    same(read(folder / "x.h5"), np.ones(4))


@pytest.mark.parametrize("kind", ["NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA"])
def test_netcdf_3_is_refused(path, kind):
    with netCDF4.Dataset(path, "w", format=kind) as file:
        file.createDimension("x", 4)
        file.createVariable("v", "f8", ("x",))[:] = 1
    with pytest.raises(MusterError) as raised:
        read(path)
    assert raised.value.status == UNSUPPORTED and "nccopy -k nc4" in raised.value.message


def test_the_recipe_reads_it(weather):
    ran = cli.run("recipe", weather, "--dataset", "wind")
    assert ran.status == 0 and 'file["wind"]' in ran.out


# ---- the same attributes in HDF5 ------------------------------------------------------------------


@pytest.fixture
def packed(folder):
    stored = np.array([1, -9, 3, 127, -128], "i1")
    with h5py.File(folder / "x.h5", "w") as file:
        for name in "vut":
            file[name] = stored
        file["v"].attrs.update({"scale_factor": 0.5, "add_offset": 10.0, "_FillValue": np.int8(-9)})
        file["u"].attrs.update({"_Unsigned": "true", "_FillValue": np.int8(-9), "scale_factor": np.float32(2)})
        file["t"].attrs["scale_factor"] = "0.5"
    return folder / "x.h5"


PACKED = {
    "v": np.array([10.5, np.nan, 11.5, 73.5, -54.0]),
    "u": np.array([2, np.nan, 6, 254, 256], "f4"),
}


@pytest.mark.parametrize("name", "vu")
def test_hdf5_is_decoded_too(packed, name):
    same(reading.read(packed, dataset=name, decode_cf=True), PACKED[name])
    same(run(cli.ok("recipe", packed, "--dataset", name, "--decode-cf", "--quiet").out)["array"], PACKED[name])


def test_hdf5_tells_of_attributes(packed):
    with Dataset(packed, dataset="v") as dataset:
        assert dataset.dtype == np.dtype("i1")
        assert any("scale_factor, add_offset, _FillValue not applied" in note for note in dataset.notes)


@pytest.mark.parametrize("value", ["0.5", [0.5, 0.25], float("nan")])
def test_factors_that_cannot_be_applied(packed, value):
    with h5py.File(packed, "a") as file:
        file["t"].attrs["scale_factor"] = value
    same(reading.read(packed, dataset="t"), np.array([1, -9, 3, 127, -128], "i1"))
    error = reading.refused(packed, FORMAT, dataset="t", decode_cf=True)
    reading.said(error, "scale_factor", "without --decode-cf")

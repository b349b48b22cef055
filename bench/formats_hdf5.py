# SPDX-License-Identifier: Apache-2.0
"""HDF5 and NetCDF-4: cases of bench/formats.py."""

import functools

import h5py
import hdf5plugin
import netCDF4
import numpy as np
from formats import Case

COLUMNS = 1024
CHUNKS = (256, COLUMNS)


def values(rows):
    """Compressible, as measured data are."""
    rng = np.random.default_rng(1)
    return np.cumsum(rng.integers(-3, 4, (rows, COLUMNS)), axis=1).astype("f4")


def write(**options):
    def write(path, rows):
        with h5py.File(path, "w") as file:
            file.create_dataset("x", data=values(rows), **options)

    return write


def write_netcdf(**options):
    def write(path, rows):
        with netCDF4.Dataset(path, "w") as file:
            file.createDimension("row", rows)
            file.createDimension("column", COLUMNS)
            file.createVariable("x", "f4", ("row", "column"), **options)[:] = values(rows)

    return write


@functools.cache
def memory(shape):
    """The same each time, as muster's is: touched before."""
    return np.zeros(shape, "f4")


def read_direct(path):
    with h5py.File(path) as file:
        into = memory(file["x"].shape)
        file["x"].read_direct(into)
    return into


def read(path):
    with h5py.File(path) as file:
        return file["x"][...]


def read_netcdf(path):
    with netCDF4.Dataset(path) as file:
        file.set_auto_maskandscale(False)
        return file["x"][...]


H5PY = {"h5py": read, "h5py read_direct": read_direct}
NETCDF = {"netCDF4": read_netcdf}
GZIP = {"compression": "gzip", "compression_opts": 4, "shuffle": True}
ROWS, SOME, FEW = 200_000, 50_000, 20_000
CASES = [
    Case("hdf5, contiguous", write(), ROWS, ".h5", H5PY, target=1.0, of_limit=0.9),
    Case("hdf5, chunks", write(chunks=CHUNKS), ROWS, ".h5", H5PY, target=1.0),
    Case("hdf5, square chunks", write(chunks=(512, 512)), ROWS, ".h5", H5PY, target=1.0),
    Case("hdf5, gzip shuffle", write(chunks=CHUNKS, **GZIP), SOME, ".h5", H5PY, target=5.0),
    Case("hdf5, lzf", write(chunks=CHUNKS, compression="lzf", shuffle=True), SOME, ".h5", H5PY),
    Case("hdf5, zstd", write(chunks=CHUNKS, **hdf5plugin.Zstd()), SOME, ".h5", H5PY),
    Case("hdf5, bitshuffle", write(chunks=CHUNKS, **hdf5plugin.Bitshuffle()), SOME, ".h5", H5PY),
    Case("netcdf, contiguous", write_netcdf(contiguous=True), ROWS, ".nc", NETCDF, of_limit=0.9),
    Case("netcdf, zlib", write_netcdf(zlib=True, chunksizes=CHUNKS), FEW, ".nc", NETCDF, target=5.0),
]

# SPDX-License-Identifier: Apache-2.0
"""HDF5 and NetCDF-4: cases of bench/formats.py."""

import functools

import h5py
import hdf5plugin
import netCDF4
import numpy as np
from formats import Case, also
from limits import Compressed

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


def chunks(path):
    with h5py.File(path) as file:
        stored = file["x"]
        size = int(np.prod(stored.chunks)) * stored.dtype.itemsize
        infos = map(stored.id.get_chunk_info, range(stored.id.get_num_chunks()))
        return [Compressed(path, info.byte_offset, info.size, size) for info in infos]


def blocks(path):
    """Those of LZ4 within the chunks: behind 12 bytes, which end with how much each holds, a length
    and the block, again and again."""
    data = path.read_bytes()
    pieces = []
    for chunk in chunks(path):
        at, left = chunk.offset + 12, chunk.size
        most = int.from_bytes(data[at - 4 : at], "big")
        while left > 0:
            length = int.from_bytes(data[at : at + 4], "big")
            pieces.append(Compressed(path, at + 4, length, min(left, most)))
            at, left = at + 4 + length, left - most
    return pieces


H5PY = {"h5py": read, "h5py read_direct": read_direct}
NETCDF = {"netCDF4": read_netcdf}
GZIP = {"compression": "gzip", "compression_opts": 4, "shuffle": True}
ROWS, SOME, FEW = 200_000, 50_000, 20_000


def filtered(name, codec="", pieces=None, of_codec=0.9, **options):
    made = write(chunks=CHUNKS, **options)
    return Case(f"hdf5, {name}", made, SOME, ".h5", H5PY, 5.0, None, codec, pieces, of_codec)


ZLIB = {"codec": "zlib", "pieces": chunks}
PLAIN = Case("hdf5, chunks", write(chunks=CHUNKS), ROWS, ".h5", H5PY, target=1.0)
CASES = [
    Case("hdf5, contiguous", write(), ROWS, ".h5", H5PY, target=1.0, of_limit=0.9),
    PLAIN,
    also(PLAIN, "cold", 0.85),
    also(PLAIN, "fresh", 0.9),
    Case("hdf5, square chunks", write(chunks=(512, 512)), ROWS, ".h5", H5PY, target=1.0),
    filtered("gzip", **ZLIB, compression="gzip", compression_opts=4),
    filtered("gzip shuffle", **ZLIB, **GZIP),
    filtered("lzf", compression="lzf", shuffle=True),
    filtered("zstd", "zstd", chunks, **hdf5plugin.Zstd()),
    filtered("lz4", "lz4", blocks, **hdf5plugin.LZ4()),
    filtered("bitshuffle", "lz4", blocks, None, **hdf5plugin.Bitshuffle()),
    Case("netcdf, contiguous", write_netcdf(contiguous=True), ROWS, ".nc", NETCDF, of_limit=0.9),
    Case("netcdf, zlib", write_netcdf(zlib=True, chunksizes=CHUNKS), FEW, ".nc", NETCDF, 5.0, **ZLIB),
]

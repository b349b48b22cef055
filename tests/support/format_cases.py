# SPDX-License-Identifier: Apache-2.0
"""
One dataset or more of each format, as the format's own library writes it, and what must arrive: the same
table for all backends. Nothing here calls muster.

    python -m support.format_cases FOLDER

writes all of them, for a Python that has not the libraries: FOLDER/NUMBER and FOLDER/NUMBER.npy.
"""

import os
import sys

import numpy as np
from support.load_cases import Case

COUNTS = (700, 0, 1300, 1, 499)
COLUMNS = ["a", "b", "c"]


def parts_of(trailing=(7,), dtype="f4", counts=COUNTS):
    random = np.random.default_rng(len(trailing))
    return [(random.random((n, *trailing)) * 1000).astype(dtype) for n in counts]


def written(parts, write, seen=lambda part: part):
    """A Case's `make`: `write(path without extension, part)` of each part, which is `seen` so."""

    def make(folder):
        for number, part in enumerate(parts):
            write(os.path.join(folder, f"s_{number:03}"), part)
        return np.concatenate([seen(part) for part in parts])

    return make


# ---- npz -----------------------------------------------------------------------------------------


def npz():
    parts = parts_of()

    def make_members(folder):
        np.savez_compressed(os.path.join(folder, "all.npz"), *parts)
        return np.concatenate(parts)

    def write(path, part):
        np.savez(path + ".npz", x=np.asfortranarray(part), names=np.array(["u", "v"]), y=part[:3])

    yield Case("npz: several arrays of one file", make_members)
    yield Case("npz: one of several, Fortran order", written(parts, write), {"dataset": "x"})


# ---- tables --------------------------------------------------------------------------------------


def nulls_of(part):
    """Where nothing is known: one of nine cells."""
    return np.arange(part.size).reshape(part.shape) % 9 == 4


def or_nulls(value):
    """How parts are seen whose nulls become that."""
    return lambda part: np.where(nulls_of(part), part.dtype.type(value), part)


def table_of(part, nulls=None):
    import pyarrow as pa

    mask = np.zeros(part.shape, bool) if nulls is None else nulls
    return pa.table(
        {name: pa.array(part[:, i], mask=mask[:, i]) for i, name in enumerate(COLUMNS[: part.shape[1]])}
    )


def lists_of(part):
    """A column of fixed-size lists in lists."""
    import pyarrow as pa

    values = pa.array(part.ravel())
    for length in reversed(part.shape[1:]):
        values = pa.FixedSizeListArray.from_arrays(values, length)
    return pa.table({"x": values})


def put_parquet(path, table, **options):
    import pyarrow.parquet as pq

    pq.write_table(table, path + ".parquet", row_group_size=300, **options)


def parquet():
    floats, integers = parts_of((3,), "f8"), parts_of((3,), "i4")
    lists = parts_of((2, 3))

    def plain(path, part):
        put_parquet(path, table_of(part), compression="none", use_dictionary=False)

    def of_nulls(path, part):
        put_parquet(path, table_of(part, nulls_of(part)), compression="zstd", data_page_size=999)

    def of_lists(path, part):
        put_parquet(path, lists_of(part), compression="snappy")

    def of_keys(folder):
        for number, part in enumerate(integers):
            place = os.path.join(folder, f"year={2000 + number}")
            os.mkdir(place)
            put_parquet(os.path.join(place, "part-0"), table_of(part))
        years = np.repeat(np.arange(2000, 2000 + len(COUNTS)), COUNTS)
        return np.stack([np.concatenate(integers)[:, 1], years.astype("i4")], axis=1)

    yield Case("Parquet: plain", written(floats, plain))
    yield Case("Parquet: nulls of floats", written(floats, of_nulls, or_nulls(np.nan)))
    yield Case("Parquet: nulls of integers", written(integers, of_nulls, or_nulls(7)), {"null": 7})
    yield Case("Parquet: lists", written(lists, of_lists))
    yield Case("Parquet: keys of folders", of_keys, {"columns": ["b", "year"], "dtype": "int32"})


def put_arrow(path, table, stream=False, **options):
    import pyarrow as pa

    new = pa.ipc.new_stream if stream else pa.ipc.new_file
    with new(path + ".arrow", table.schema, options=pa.ipc.IpcWriteOptions(**options)) as writer:
        writer.write_table(table, max_chunksize=300)


def arrow():
    floats, lists = parts_of((3,)), parts_of((2, 3), "i8")

    def of_nulls(path, part):
        put_arrow(path, table_of(part, nulls_of(part)), compression="zstd")

    yield Case("Arrow: nulls", written(floats, of_nulls, or_nulls(np.nan)))
    yield Case("Arrow: lists", written(lists, lambda p, part: put_arrow(p, lists_of(part))))
    yield Case(
        "Arrow: streams, two columns turned around",
        written(floats, lambda p, part: put_arrow(p, table_of(part), True, compression="lz4")),
        {"columns": ["c", "a"]},
        lambda a: a[:, [2, 0]],
    )


# ---- Zarr ----------------------------------------------------------------------------------------


def put_zarr(store, part, name=None, **options):
    import zarr

    array = zarr.create_array(store, name=name, shape=part.shape, dtype=part.dtype, **options)
    array[...] = part


def zarr():
    wide, parts = parts_of((9, 5)), parts_of((7,), ">i4")
    for part in wide:
        part[120:330] = 3  # the fill value: some chunks, and a shard, are not stored

    def sharded(path, part):
        options = {"chunks": (50, 4, 5), "shards": (150, 8, 5), "fill_value": 3}
        put_zarr(path + ".zarr", part, **options)

    def version_2(path, part):
        import numcodecs

        options = {"chunks": (111, 4), "order": "F", "compressors": numcodecs.Blosc("lz4", shuffle=2)}
        put_zarr(path + ".zarr", part, zarr_format=2, **options)

    def group(folder):
        for number, part in enumerate(wide):
            put_zarr(os.path.join(folder, "all.zarr"), part, f"x_{number}", chunks=(100, 9, 2))
        return np.concatenate(wide)

    yield Case("Zarr 3: shards, fill values", written(wide, sharded))
    yield Case("Zarr 2: Blosc, Fortran order, big-endian", written(parts, version_2))
    yield Case("Zarr 3: several arrays of a group", group)


# ---- HDF5 and NetCDF-4 ---------------------------------------------------------------------------


def hdf5():
    wide, parts = parts_of((9, 5)), parts_of((7,), ">i4")

    def chunked(path, part):
        import h5py

        with h5py.File(path + ".h5", "w") as file:
            options = {"chunks": (50, 4, 5), "maxshape": (None, 9, 5)}
            options |= {"compression": "gzip", "shuffle": True}
            file.create_dataset("group/x", data=part, **options)
            file["other"] = np.arange(3.0)

    def several(folder):
        import h5py

        with h5py.File(os.path.join(folder, "all.h5"), "w") as file:
            for number, part in enumerate(parts):
                file[f"x_{number}"] = part
        return np.concatenate(parts)

    yield Case("HDF5: chunks, deflated", written(wide, chunked), {"dataset": "/group/x"})
    yield Case("HDF5: several arrays of one file, big-endian", several)


def netcdf():
    parts = parts_of((9, 5))

    def write(path, part):
        import netCDF4

        with netCDF4.Dataset(path + ".nc", "w") as file:
            for name, length in zip("tyx", (None, 9, 5)):
                file.createDimension(name, length)
            sizes = {"chunksizes": (40, 5, 5), "compression": "zlib"}
            file.createVariable("wind", "f4", ("t", "y", "x"), **sizes)[: len(part)] = part

    yield Case("NetCDF-4: an unlimited dimension", written(parts, write))


# ---- all -----------------------------------------------------------------------------------------


def cut(case):
    """Some rows of it, converted, in more tiles."""
    options = case.options | {"rows": (13, -17), "dtype": "float64", "over_decompose": 3}
    name = f"{case.name}: inner rows as float64"
    return Case(name, case.make, options, lambda a: case.result(a)[13:-17].astype("f8"))


WHOLE = [*npz(), *parquet(), *arrow(), *zarr(), *hdf5(), *netcdf()]
CASES = [*WHOLE, *map(cut, WHOLE[::2])]


def words_of(options):
    """Options of the package, as those of the program."""
    for name, value in options.items():
        if name == "rows":
            value = f"{value[0]}:{value[1]}"
        elif name == "columns":
            value = ",".join(value)
        yield f"--{name.replace('_', '-')}={value}"


def write_all(top):
    for number, case in enumerate(CASES):
        folder = os.path.join(top, str(number))
        os.mkdir(folder)
        np.save(f"{folder}.npy", case.expected(case.make(folder)))


if __name__ == "__main__":
    write_all(sys.argv[1])

# SPDX-License-Identifier: Apache-2.0
"""Options that a format does not heed are an error that names those that do."""

import h5py
import netCDF4
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zarr
from support import cli
from support.libmuster import USAGE, Dataset
from support.reading import refused, said

A = np.arange(12, dtype="f4").reshape(6, 2)

OPTIONS = {
    "row_shape": ({"row_shape": [2]}, {"raw"}, "for raw files"),
    "header_bytes": ({"header_bytes": 0}, {"raw"}, "for raw files"),
    "columns": ({"columns": ["a"]}, {"arrow", "parquet"}, "for Parquet and Arrow"),
    "null": ({"null_value": "0"}, {"arrow", "parquet"}, "for Parquet and Arrow"),
    "strict": ({"strict": True}, {"zarr"}, "--strict is for Zarr"),
    "decode_cf": ({"decode_cf": True}, {"hdf5", "netcdf"}, "--decode-cf is for NetCDF and HDF5"),
    "follow_external": ({"follow_external": True}, {"hdf5", "netcdf"}, "--follow-external is for HDF5"),
    "dataset": ({"dataset": "a"}, {"hdf5", "netcdf", "npz", "zarr"}, "files with several"),
}


def write(format, folder):
    """The file, and the options without which it is not read."""
    path = folder / f"x.{format}"
    table = pa.table({"a": A[:, 0], "b": A[:, 1]})
    if format == "npy":
        np.save(path, A)
    elif format == "npz":
        np.savez(path, a=A)
    elif format == "raw":
        A.tofile(path)
        return path, {"format": "raw", "source_dtype": "float32"}
    elif format == "arrow":
        with pa.ipc.new_file(path, table.schema) as writer:
            writer.write_table(table)
    elif format == "parquet":
        pq.write_table(table, path)
    elif format == "hdf5":
        with h5py.File(path, "w") as file:
            file["a"] = A
    elif format == "netcdf":
        with netCDF4.Dataset(path, "w") as file:
            file.createDimension("t", 6)
            file.createVariable("a", "f4", ("t",))[:] = A[:, 0]
    else:
        zarr.create_array(path / "a", data=A)
        (path / "zarr.json").write_text('{"zarr_format": 3, "node_type": "group", "attributes": {}}')
    return path, {}


@pytest.mark.parametrize("format", ["npy", "npz", "raw", "arrow", "parquet", "hdf5", "netcdf", "zarr"])
def test_each_format(tmp_path, format):
    path, needed = write(format, tmp_path)
    for options, formats, words in OPTIONS.values():
        options = needed | options
        if format in formats:
            with Dataset(path, **options) as dataset:
                assert dataset.format == format and dataset.rows in (6, 12)
        else:
            said(refused(path, USAGE, **options), f"is {format}, ", words)


def test_the_program(tmp_path):
    path, _ = write("npy", tmp_path)
    for option in "--strict", "--decode-cf", "--follow-external", "--null=0", "--columns=a", "--dataset=a":
        ran = cli.run("inspect", option, path)
        assert ran.status == 2 and ran.err.startswith(f"muster: {path}: is npy, "), ran
        assert option.split("=")[0] in ran.err and ran.err.count("\n") == 1

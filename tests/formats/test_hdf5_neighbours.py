# SPDX-License-Identifier: Apache-2.0
"""Other HDF5 libraries in the same process, in every order of loading, are left in peace."""

import os
import subprocess
import sys

import h5py
import numpy as np
import pytest
from support import env

PROGRAM = """
import os, sys
import numpy as np
sys.path.insert(0, {tests!r})
order, path = sys.argv[1].split("+"), sys.argv[2]
from support import libmuster

def muster():
    with libmuster.Dataset(path, dataset="x") as dataset:
        return dataset.load(threads=2)[0]

def others():
    import h5py
    with h5py.File(path) as file:
        return file["x"][...]

def global_others():
    sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
    return others()

def netcdf():
    import netCDF4
    with netCDF4.Dataset(path + ".nc", "w") as file:
        file.createDimension("t", 3)
        file.createVariable("v", "f8", ("t",))[:] = [1, 2, 3]
    with libmuster.Dataset(path + ".nc") as dataset:
        assert dataset.read().tolist() == [1, 2, 3]
    return np.load(path + ".npy")

if "global" in order:
    import ctypes
    ctypes.CDLL(os.environ["LIBRARY"], ctypes.RTLD_GLOBAL)
expected = np.load(path + ".npy")
for _ in range(2):
    for name in order:
        if name != "global":
            assert np.array_equal(globals()[name](), expected), name
print("same")
"""


@pytest.mark.parametrize(
    "order",
    [
        "muster+others",
        "others+muster",
        "muster+global_others",
        "global_others+muster",
        "global+muster+others",
        "global+others+muster",
        "netcdf+muster+others",
        "muster+netcdf+global_others",
    ],
)
def test_all_read_the_same(tmp_path, order):
    path = tmp_path / "x.h5"
    data = np.arange(3000.0).reshape(300, 10)
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=data, chunks=(40, 10), compression="gzip")
    np.save(f"{path}.npy", data)
    program = PROGRAM.format(tests=str(env.SOURCE / "tests"))
    ran = subprocess.run(
        [sys.executable, "-c", program, order, path],
        capture_output=True,
        text=True,
        timeout=120,
        env=dict(os.environ, LIBRARY=str(env.LIBRARY)),
    )
    assert ran.returncode == 0 and ran.stdout == "same\n", ran.stderr
    assert ran.stderr == ""


def test_the_library_is_not_linked():
    """It is opened when it is needed: a machine without it runs all the rest."""
    needed = subprocess.run(["readelf", "-d", env.LIBRARY], capture_output=True, text=True).stdout
    assert "NEEDED" in needed
    assert "hdf5" not in needed

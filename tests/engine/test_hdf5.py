# SPDX-License-Identifier: Apache-2.0
"""HDF5 next to Legate, which has an HDF5 library of its own: both read the same file."""

import subprocess

import cupynumeric as cn
import muster
import numpy as np
from support import env


def test_both_libraries_in_one_process(tmp_path):
    out = tmp_path / "data"
    command = [env.PROGRAM, "write", out, "--format", "hdf5", "--rows", "2000", "--shards", "1"]
    subprocess.run([*command, "--row-shape", "5", "--quiet"], check=True)
    (path,) = out.glob("*.h5")
    expected = muster.load(path, backend="numpy")
    for _ in range(2):
        loaded = muster.load(path, backend="cupynumeric")
        assert np.array_equal(np.asarray(loaded), expected)
        theirs = from_file(path)
        if theirs is not None:
            assert np.array_equal(np.asarray(theirs), expected)


def from_file(path):
    """By Legate's own reader, where this build of Legate has it."""
    try:
        from legate.io.hdf5 import from_file
    except (ImportError, ValueError):
        # It wants h5py, and some builds of that do not run with the HDF5 library of Legate.
        return None
    return cn.asarray(from_file(path, "data"))

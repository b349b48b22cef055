# SPDX-License-Identifier: Apache-2.0
"""HDF5 libraries of other versions, opened under the name that is looked for first."""

import pathlib
import sys

import h5py
import numpy as np
import pytest
from support import cli, env

#: Legate carries 1.14, h5py and netCDF4 later ones.
PLACES = [env.SOURCE / ".venv-engine/lib", env.SOURCE / ".venv-ranks/lib", pathlib.Path(sys.prefix) / "lib"]


def libraries(pattern):
    return [found for place in PLACES for found in sorted(place.glob(f"python*/site-packages/{pattern}"))]


LIBRARY_1_14 = libraries("legate.libs/libhdf5-*.so.310*")
LATER = libraries("h5py.libs/libhdf5-*.so.3[2-9]*")
A = np.random.default_rng(1).integers(0, 1000, (230, 12))


def use(library, folder):
    """The environment in which it is found."""
    (folder / "lib").mkdir()
    (folder / "lib/libhdf5_serial.so.103").symlink_to(library)
    return {"LD_LIBRARY_PATH": f"{folder / 'lib'}:{library.parent}"}


def write(path):
    with h5py.File(path, "w", libver=("earliest", "v114")) as file:
        file["flat"] = A.astype(">f4")
        file.create_dataset("gzip", data=A, chunks=(32, 5), compression="gzip", shuffle=True, fletcher32=True)
        file.create_dataset("lzf", data=A.astype("f8"), chunks=(50, 12), compression="lzf")
        file.create_dataset("part", shape=(230, 12), dtype="i2", chunks=(10, 12), fillvalue=7)[:15] = A[:15]
        file.create_dataset("half", data=A.astype("f2"))
        file.create_dataset("compact", data=A[:3].astype("u1"), track_times=False)
        file["deep/er/x"] = A[:, :2] > 500
        layout = h5py.VirtualLayout((230, 12), A.dtype)
        layout[:] = h5py.VirtualSource(path, "gzip", A.shape)
        file.create_virtual_dataset("virtual", layout)


def arrays(path):
    with h5py.File(path) as file:
        names = [name for name in file if name != "deep"] + ["deep/er/x"]
        return {name: file[name][...] for name in names}


@pytest.mark.skipif(not LIBRARY_1_14, reason="no HDF5 library 1.14 here")
@pytest.mark.skipif(cli.sanitized(), reason="its libraries find those of sanitizers missing")
def test_version_1_14(tmp_path):
    environment = use(LIBRARY_1_14[0], tmp_path)
    write(tmp_path / "x.h5")
    for name, expected in arrays(tmp_path / "x.h5").items():
        ran = cli.run("load", "--dataset", name, "x.h5", "-o", f"{name[:4]}.npy", "-j2", cwd=tmp_path, env=environment)
        assert ran.status == 0, ran
        found = np.load(tmp_path / f"{name[:4]}.npy")
        native = expected.astype(expected.dtype.newbyteorder("="))
        assert found.dtype == native.dtype and np.array_equal(found, native), name
    ran = cli.run("inspect", "x.h5", cwd=tmp_path, env=environment)
    assert ran.status == 1 and "deep/er/x" in ran.err and "virtual" in ran.err, ran
    (tmp_path / "x.h5").write_bytes((tmp_path / "x.h5").read_bytes()[:3000])
    ran = cli.run("inspect", "x.h5", cwd=tmp_path, env=environment)
    assert ran.status == 1 and "HDF5 library 1.14" in ran.err and ran.err.count("\n") == 1, ran


@pytest.mark.skipif(not LIBRARY_1_14, reason="no HDF5 library 1.14 here")
@pytest.mark.skipif(cli.sanitized(), reason="its libraries find those of sanitizers missing")
def test_version_1_14_writes(tmp_path):
    environment = use(LIBRARY_1_14[0], tmp_path)
    ran = cli.run("write", "data", "--format=hdf5", "--rows=100", "--shards=2", "--dtype=f4", "--row-shape=3",
                  cwd=tmp_path, env=environment)  # fmt: skip
    assert ran.status == 0, ran
    files = sorted((tmp_path / "data").glob("*.h5"))
    assert len(files) == 2
    total = 0
    for path in files:
        with h5py.File(path) as file:
            total += sum(len(item) for item in file.values())
    assert total == 100


@pytest.mark.skipif(not LIBRARY_1_14, reason="no HDF5 library 1.14 here")
@pytest.mark.skipif(cli.sanitized(), reason="its libraries find those of sanitizers missing")
@pytest.mark.parametrize("dtype", ["u1", ">u2", "u4", "f4"])
def test_scaleoffset_that_saves_nothing(tmp_path, dtype):
    """Version 1.14.6 itself cannot read such chunks."""
    values = np.random.default_rng(2).integers(0, 2**32, 90, "u4").astype(dtype)
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file.create_dataset("x", data=values, chunks=(30,), scaleoffset=3 if dtype == "f4" else 0)
    cli.ok("load", "x.h5", "-o", "x.npy", cwd=tmp_path, env=use(LIBRARY_1_14[0], tmp_path))
    with h5py.File(tmp_path / "x.h5") as file:
        assert np.array_equal(np.load(tmp_path / "x.npy"), file["x"][...])


@pytest.mark.skipif(not LATER, reason="no later HDF5 library here")
def test_later_versions_are_refused(tmp_path):
    """With one line, which says what would do."""
    write(tmp_path / "x.h5")
    ran = cli.run("inspect", "x.h5", cwd=tmp_path, env=use(LATER[0], tmp_path))
    assert ran.status == 1 and ran.err.count("\n") == 1, ran
    assert "cannot be used" in ran.err and "1.10, 1.12 or 1.14" in ran.err, ran

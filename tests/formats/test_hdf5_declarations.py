# SPDX-License-Identifier: Apache-2.0
"""What the library declares of HDF5 is what its own headers declare, where they are."""

import pathlib
import re
import subprocess

import pytest
from support import env

PLACES = [pathlib.Path("/usr/include/hdf5/serial"), pathlib.Path("/usr/include")]
SOURCE = env.SOURCE / "tests/formats/hdf5_declarations.c"
LIBRARY = env.SOURCE / "src/formats/hdf5"


def place():
    found = [p for p in PLACES if re.search(r"H5_VERS_MINOR +10\b", read(p / "H5public.h"))]
    return found[0] if found else None


def read(path):
    return path.read_text() if path.exists() else ""


def complaints(text=None, sources=env.SOURCE / "src"):
    """What the compiler has against the file, or against this text instead of it."""
    command = ["cc", "-std=c17", "-D_GNU_SOURCE", "-Wcast-function-type", "-Werror", "-fsyntax-only"]
    command += [f"-I{sources}", f"-I{env.SOURCE / 'include'}", f"-isystem{place()}", "-x", "c", "-"]
    text = SOURCE.read_text() if text is None else text
    return subprocess.run(command, input=text, capture_output=True, text=True).stderr


needs_headers = pytest.mark.skipif(not place(), reason="no headers of HDF5 1.10 on this machine")


@needs_headers
def test_all_of_it():
    assert complaints() == ""


@needs_headers
@pytest.mark.parametrize(
    "right, wrong",
    [
        ("FILE_FIELD(base, base_addr)", "FILE_FIELD(base, maxaddr)"),
        ("SAME_NUMBER(MST_H5_NULL, H5S_NULL)", "SAME_NUMBER(MST_H5_NULL, H5S_SIMPLE)"),
    ],
)
def test_other_numbers_and_fields_are_seen(right, wrong):
    changed, count = re.subn(re.escape(right), wrong, SOURCE.read_text(), count=1)
    assert count == 1 and "error" in complaints(changed)


@needs_headers
@pytest.mark.parametrize(
    "right, wrong",
    [
        ("(mst_h5_id list, unsigned *options)", "(mst_h5_id list)"),
        ("H5Pclose, (mst_h5_id list)", "H5Pclose, (int list)"),
        ("HDF5_FUNCTION(size_t, type_size", "HDF5_FUNCTION(int, type_size"),
    ],
)
def test_other_functions_are_seen(tmp_path, right, wrong):
    text = (LIBRARY / "library.def").read_text()
    assert right in text
    for folder in ("formats/hdf5", "muster"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "formats/hdf5/library.def").write_text(text.replace(right, wrong))
    (tmp_path / "formats/hdf5/library.h").write_text((LIBRARY / "library.h").read_text())
    assert "error" in complaints(sources=tmp_path)

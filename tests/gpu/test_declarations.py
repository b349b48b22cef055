# SPDX-License-Identifier: Apache-2.0
"""What the library declares of CUDA and cuFile is what NVIDIA's own headers declare, where they are."""

import pathlib
import re
import subprocess

import pytest
from support import env

#: Where toolkits, Debian, and packages of Python put them.
PLACES = [pathlib.Path("/usr/local/cuda/include"), pathlib.Path("/usr/include")]
PLACES += sorted(env.SOURCE.glob(".venv*/lib/python3*/site-packages/nvidia/*/include"))
SOURCE = env.SOURCE / "tests/gpu/declarations.c"


def place_of(header):
    found = [place for place in PLACES if (place / header).exists()]
    return found[0] if found else None


def complaints(*definitions, text=None):
    """What the compiler has against the file, or against this text instead of it."""
    places = {place_of("cuda.h"), place_of("cufile.h")} - {None}
    command = ["cc", "-std=c17", "-D_GNU_SOURCE", "-Werror", "-fsyntax-only", *definitions]
    command += [f"-I{env.SOURCE / name}" for name in ("src", "include")]
    command += [f"-isystem{place}" for place in sorted(places)] + ["-x", "c", "-"]
    text = SOURCE.read_text() if text is None else text
    return subprocess.run(command, input=text, capture_output=True, text=True).stderr


needs_cuda = pytest.mark.skipif(not place_of("cuda.h"), reason="no cuda.h on this machine")
needs_cufile = pytest.mark.skipif(
    not (place_of("cuda.h") and place_of("cufile.h")), reason="no cufile.h on this machine"
)


@needs_cuda
def test_the_driver():
    assert complaints() == ""


@needs_cufile
def test_cufile():
    assert complaints("-DWITH_CUFILE") == ""


@needs_cuda
@pytest.mark.parametrize(
    "right, wrong",
    [
        ("COPY_FIELD(from_x, srcXInBytes)", "COPY_FIELD(from_x, srcY)"),
        ("CUDA_ERROR_INVALID_VALUE", "CUDA_ERROR_UNKNOWN"),
        ("#define mst_cu_copy_2d CUDA_MEMCPY2D", "#define mst_cu_copy_2d CUDA_MEMCPY3D"),
    ],
)
def test_differences_are_seen(right, wrong):
    changed, count = re.subn(re.escape(right), wrong, SOURCE.read_text(), count=1)
    assert count == 1 and "error" in complaints(text=changed)

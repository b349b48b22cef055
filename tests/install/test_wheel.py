# SPDX-License-Identifier: Apache-2.0
"""The wheel of the Python package: what `pip install` lays down works on its own."""

import os
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from support import cli, env, reference

#: Compiled without optimisation: what is tested is what lies where.
QUICK = ["-Ccmake.build-type=Debug", "-Ccmake.define.CMAKE_C_FLAGS=-O0"]


def run(*command, **options):
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built without a network: the tools are those of the tests."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps", "--no-index"]
    run(*pip, *QUICK, f"-Cbuild-dir={folder}/build", env.SOURCE, "-w", folder)
    [path] = folder.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A virtual environment with the wheel, and with the NumPy and cffi of the tests."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    [packages] = folder.glob("lib/python3*/site-packages")
    pip = [sys.executable, "-m", "pip", f"--python={folder}/bin/python", "install", "--no-deps", "--no-index"]
    run(*pip, wheel)
    tools = next(p for p in sys.path if p.endswith("site-packages"))
    (packages / "tools.pth").write_text(tools + "\n")
    return folder


def test_what_is_in_it(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    version = cli.ok("--version").out.split()[1]
    assert wheel.name.startswith(f"muster-{version}-py3-none-linux_")
    modules = {p.name for p in (env.SOURCE / "python/muster").iterdir() if p.suffix in (".py", ".typed")}
    assert {f"muster/{name}" for name in modules} <= set(names)
    assert {"muster/_ffi.py", "muster/libmuster.so", f"muster-{version}.data/scripts/muster"} <= set(names)
    assert all(name.startswith(("muster/", f"muster-{version}.")) for name in names)


def test_it_works_on_its_own(installed, tmp_path):
    path = reference.put(tmp_path, "a.npy", np.arange(12.0).reshape(6, 2))
    variables = {k: v for k, v in os.environ.items() if not k.startswith(("MUSTER", "PYTHON", "LD_"))}
    code = "import muster; print(muster.__file__, muster.load('a.npy').sum(), muster.__version__)"
    file, total, version = run(installed / "bin/python", "-c", code, cwd=tmp_path, env=variables).split()
    assert file.startswith(str(installed)) and total == "66.0"
    assert run(installed / "bin/muster", "--version", env=variables).split()[1] == version
    assert "(6, 2)" in run(installed / "bin/muster", "inspect", path, env=variables)

# SPDX-License-Identifier: Apache-2.0
"""Recipes run as they are on cuPyNumeric and Legate, on the processors, and load what NumPy reads."""

import os
import shlex
import site
import subprocess

import numpy as np
import pytest
from support import cli, env, format_cases, reference, tables

ENGINE = env.SOURCE / ".venv-engine"
DRIVER = env.BUILD / "tests/support/no_gpu"

pytestmark = pytest.mark.skipif(
    not (ENGINE / "stamp-engine").exists(),
    reason="cuPyNumeric is not installed: tools/setup.sh engine (CPython 3.11 on Linux)",
)

#: Runs recipes one after the other, a start of Legate taking seconds: arguments are pairs of a recipe and
#: the file for its array. Packages that the recipes want and cuPyNumeric does not bring come last, from where
#: the tests' own are.
RUNNER = """
import runpy, sys
import numpy as np
sys.path.append(sys.argv.pop(1))
for recipe, output in zip(sys.argv[1::2], sys.argv[2::2]):
    names = runpy.run_path(recipe, run_name="__main__")
    np.save(output, np.asarray(names["array"]))
"""

TOOLS = site.getsitepackages()[0]

RNG = np.random.default_rng(5)


def floats(*shape, dtype="f4"):
    return RNG.standard_normal(shape).astype(dtype)


def uneven(*trailing, dtype="f4", rows=(5, 0, 11, 1, 0)):
    return [floats(n, *trailing, dtype=dtype) for n in rows]


def whole(parts):
    """What NumPy makes of the parts; times are their counts."""
    array = np.concatenate([reference.native(p) for p in parts])
    return array.view("i8") if array.dtype.kind in "mM" else array


#: name: the arrays of npy files, options of muster, and what the array must be.
NPY = {
    "uneven": (parts := uneven(3), [], whole(parts)),
    "one": (parts := [floats(9, 2)], [], whole(parts)),
    "equal": (parts := [floats(4, 3), floats(4, 3)], [], whole(parts)),
    "fortran": (parts := [np.asfortranarray(floats(7, 5)), floats(3, 5)], [], whole(parts)),
    "orders": (parts := [floats(4, 2, dtype=">f8"), floats(3, 2, dtype="<f8")], [], whole(parts)),
    "vector": (parts := uneven(dtype=">i8"), [], whole(parts)),
    "three_axes": (parts := uneven(3, 4), [], whole(parts)),
    "six_axes": (parts := uneven(2, 1, 3, 1, 2), [], whole(parts)),
    "one_row": (parts := [floats(1, 5)], [], whole(parts)),
    "one_cell": (parts := [floats(1)], [], whole(parts)),
    "no_rows": (parts := [floats(0, 5)], [], whole(parts)),
    "part": (parts := uneven(3), ["--rows=3:-2"], whole(parts)[3:-2]),
    "tail": (parts := uneven(3), ["--rows=16:"], whole(parts)[16:]),
    "wider": (parts := uneven(3), ["--dtype=float64"], whole(parts).astype("f8")),
    "narrower": (parts := uneven(3, dtype=">f8"), ["--dtype=float16"], whole(parts).astype("f2")),
    "stacked": (parts := [floats(3, 4) for _ in range(5)], ["--stack"], np.stack(parts)),
    "scalars": (parts := [np.array(float(i)) for i in range(60)], ["--stack"], np.stack(parts)),
    "times": (parts := [np.array(["2020-02-29", "NaT"], ">M8[s]")], [], whole(parts)),
    "bools": (parts := [np.array([[True, False]] * 5)], [], whole(parts)),
    "complex": (parts := [floats(6, 2) * 1j, floats(3, 2) + 0j], [], whole(parts)),
}  # fmt: skip

RAW = floats(10, 3, dtype=">f4")


@pytest.fixture(scope="module")
def datasets(tmp_path_factory):
    """{name: (arguments of muster, what the array must be)}"""
    folder = tmp_path_factory.mktemp("datasets")
    made = {}
    for name, (parts, options, wanted) in NPY.items():
        made[name] = ([cli.npy_folder(folder / name, parts), *options], wanted)
    os.mkdir(folder / "raw")
    for i, part in enumerate((RAW[:4], RAW[4:])):
        reference.put(folder / "raw", f"x_{i}.bin", b"head" + part.tobytes())
    raw = [folder / "raw", "--format=raw", "--source-dtype=>f4", "--row-shape=3", "--header-bytes=4"]
    made["raw"] = (raw, reference.native(RAW))
    made["raw_part"] = ([*raw, "--rows=2:9", "--dtype=float64"], RAW[2:9].astype("f8"))
    quote = "a'b\"c\\\n\udcff.npy"
    np.save(folder / quote, floats(4))
    made["quoted"] = ([folder / quote], np.load(folder / quote))
    return made


def legate(folder, *arguments, options="--cpus 2 --gpus 0 --sysmem 256", status=0):
    assert (DRIVER / "libcuda.so.1").exists(), f"{DRIVER} is not built: make test"
    variables = cli.CLEAN | {"LD_LIBRARY_PATH": str(DRIVER)}
    variables["PATH"] = f"{ENGINE / 'bin'}:{cli.CLEAN['PATH']}"
    command = [ENGINE / "bin/legate", *options.split(), *arguments]
    ran = subprocess.run(command, env=variables, cwd=folder, capture_output=True, timeout=300)
    assert ran.returncode == status, cli.decode(ran.stderr)
    lines = cli.decode(ran.stdout).splitlines()
    return [line for line in lines if not line.startswith("[0 - ")]  # Legate's own, of this machine


@pytest.mark.parametrize("processors", [1, 3])
def test_arrays_are_what_numpy_reads(datasets, tmp_path, processors):
    words = [TOOLS]
    for name, (arguments, _) in datasets.items():
        cli.ok("recipe", *arguments, "-o", tmp_path / f"{name}.py", "--quiet")
        words += [f"{name}.py", f"{name}.npy"]
    (tmp_path / "runner.py").write_text(RUNNER)
    options = f"--cpus {processors} --gpus 0 --sysmem 256"
    lines = legate(tmp_path, "runner.py", *words, options=options)
    assert len(lines) == len(datasets) - 1  # one has no cells
    assert all(line.endswith("all cells as in the files") for line in lines)
    for name, (_, wanted) in datasets.items():
        assert reference.same(np.load(tmp_path / f"{name}.npy"), wanted), name


def test_formats(tmp_path):
    """Each dataset of the table; h5py is the one that cuPyNumeric brings. Recipes that have to import one library
    before Legate have a process for themselves, as all have when they are used."""
    words, alone = [TOOLS], []
    for number, case in enumerate(format_cases.WHOLE):
        os.mkdir(tmp_path / f"{number}")
        np.save(tmp_path / f"{number}.wanted.npy", case.expected(case.make(tmp_path / f"{number}")))
        options = format_cases.words_of(case.options)
        cli.ok("recipe", f"{number}", *options, "-o", f"{number}.py", "--quiet", cwd=tmp_path)
        if case.name.startswith(("HDF5", "NetCDF")):
            alone.append([TOOLS, f"{number}.py", f"{number}.npy"])
        else:
            words += [f"{number}.py", f"{number}.npy"]
    (tmp_path / "runner.py").write_text(RUNNER)
    lines = [line for each in (words, *alone) for line in legate(tmp_path, "runner.py", *each)]
    assert len(lines) == len(format_cases.WHOLE)
    for number, case in enumerate(format_cases.WHOLE):
        wanted = np.load(tmp_path / f"{number}.wanted.npy")
        assert tables.same(np.load(tmp_path / f"{number}.npy"), wanted), case.name


def test_the_command_that_is_told_is_enough(tmp_path):
    """The array does not fit into what Legate takes when nobody says how much."""
    os.mkdir(tmp_path / "big")
    for i, rows in enumerate((200_000, 900_000, 500_000)):
        np.save(tmp_path / "big" / f"s_{i}.npy", np.arange(rows * 32, dtype="f8").reshape(rows, 32))
    ran = cli.ok("recipe", "big", "-o", "recipe.py", cwd=tmp_path)
    command, *options, name = shlex.split(ran.out.splitlines()[-1])
    assert command == "legate" and name == "recipe.py"
    lines = legate(tmp_path, name, options=" ".join(options))
    assert lines == ["(1600000, 32) float64: all cells as in the files"]


FAULT = """
import os, runpy
names = runpy.run_path("recipe.py", run_name="recipe")
os.rename("data/shard_1.npy", "data/gone.npy")
try:
    names["load"]()
except OSError as error:
    print("caught", error)
os.rename("data/gone.npy", "data/shard_1.npy")
with open("data/shard_1.npy", "r+b") as file:
    file.truncate(150)
try:
    names["load"]()
except ValueError as error:
    print("caught", error)
"""


def test_a_fault_in_a_task_reaches_the_program(tmp_path):
    cli.npy_folder(tmp_path / "data", [floats(4, 3), floats(5, 3)])
    cli.ok("recipe", "data", "-o", "recipe.py", cwd=tmp_path)
    (tmp_path / "fault.py").write_text(FAULT)
    lines = legate(tmp_path, "fault.py")
    assert len(lines) == 2 and "shard_1.npy" in lines[0]

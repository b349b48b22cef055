# SPDX-License-Identifier: Apache-2.0
"""What `muster recipe` prints: sound Python, for exactly this dataset, harmless whatever its names.

The programs run here on stand-ins for Legate and CuPy, which hand the task tiles of NumPy's; that they run
on the real ones is for tests/doctor/test_recipe_runs.py.
"""

import ast
import importlib.util
import os
import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import cli, datasets, reference
from support.stand_ins import run

PARTS = [
    np.arange(12, dtype="f4").reshape(4, 3),
    np.zeros((0, 3), "f4"),
    np.arange(100, 121, dtype="f4").reshape(7, 3),
]
WHOLE = np.concatenate(PARTS)
MODULES = {"bisect", "cupynumeric", "numpy", "legate.core", "legate.core.task", "cupy"}


@pytest.fixture
def data(folder):
    return cli.npy_folder(folder, PARTS)


def recipe(*arguments):
    return cli.ok("recipe", *arguments, "--quiet").out


def constant(text, name):
    """What is assigned to a name at the top of a recipe."""
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == name:
            return eval(compile(ast.Expression(node.value), "recipe", "eval"), {"np": np})
    return None


# ---- the text ------------------------------------------------------------------------------------


def variants(data):
    """One recipe of each kind."""
    raw = ["--format=raw", "--source-dtype=>f4", "--row-shape=3", "--header-bytes=128"]
    shard = [data / "shard_0.npy"]
    return [
        [data],
        [data, "--rows=2:6"],
        [data, "--rows=5:5"],
        [data, "--dtype=float64"],
        [*shard, "--stack"],
        [*shard, *raw],
        [*shard, *raw, "--stack", "--dtype=complex64"],
    ]


@pytest.mark.parametrize("index", range(7))
def test_recipes_are_sound_python(data, index):
    text = recipe(*variants(data)[index])
    compile(text, "recipe.py", "exec", dont_inherit=True)
    assert text.isascii() and max(map(len, text.splitlines())) <= max(88, len(str(data)) + 30)
    imported = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            imported.add(node.module)
    assert imported <= MODULES and "muster" not in text


@pytest.mark.skipif(not importlib.util.find_spec("ruff"), reason="ruff is not installed")
@pytest.mark.parametrize("index", range(7))
def test_recipes_are_laid_out_as_ruff_does(data, index):
    text = recipe(*variants(data)[index]).encode()
    ruff = [sys.executable, "-m", "ruff"]
    for command in (["format", "--diff"], ["check", "--select=E,F,I,UP,B,SIM,RUF,D", "--ignore=D2,D4,B905"]):
        ran = subprocess.run([*ruff, *command, "--isolated", "-"], input=text, capture_output=True)
        assert ran.returncode == 0, ran.stdout + ran.stderr


def test_only_what_is_needed_is_there(data):
    text = recipe(data)
    for word in ("ROWS_BEFORE", "ROWS_IN_FILES", "DTYPE_IN_FILES", "astype", "newbyteorder", "newaxis"):
        assert word not in text
    assert constant(text, "FILES") == [str(data / "shard_0.npy"), str(data / "shard_2.npy")]
    assert (constant(text, "SHAPE"), constant(text, "DTYPE")) == ((11, 3), np.dtype("f4"))
    assert constant(recipe(data, "--rows=5:"), "FILES") == [str(data / "shard_2.npy")]


def test_the_summary_says_how_to_start(data, tmp_path):
    """256 MiB is what Legate takes by itself: the array comes on top."""
    big = tmp_path / "big.npy"
    np.lib.format.open_memmap(big, "w+", "f8", (40 * 2**20,))
    command = cli.ok("recipe", big, "-o", tmp_path / "my.py").out.splitlines()[-1].strip()
    assert command in (tmp_path / "my.py").read_text()
    words = command.split()
    assert words[0] == "legate" and words[-1] == str(tmp_path / "my.py")
    sysmem = int(words[words.index("--sysmem") + 1])
    assert 320 + 256 <= sysmem <= 2 * 320 + 256
    assert "legate --cpus 4 --gpus 0 --sysmem" in recipe(data) and " recipe.py\n" in recipe(data)


def test_an_empty_array_needs_no_tasks(folder):
    cli.npy_folder(folder, [np.zeros((0, 3), ">i2"), np.zeros((0, 3), ">i2")])
    text = recipe(folder)
    assert "task" not in text and len(text.splitlines()) <= 6
    array = run(text)["array"]
    assert (array.shape, array.dtype) == ((0, 3), np.int16)


# ---- names ---------------------------------------------------------------------------------------

HOSTILE = [
    b'"""+__import__("os").abort()+"""',
    b"'",
    b'"\'"',
    b"\\",
    b"\\n{i}%s{{",
    b"new\nline\r\ttab",
    b"\x1b[31m\x7f",
    b"\xff\xfe\x80",
    b"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
    b"\xc0\x80\xed\xa0\x80\xf5\x80\x80\x80\xe2\x82",
    b"\xe2\x80\xae\xc2\xa0\xc2\xad",
    b"#",
]


def put_npy(folder, name, array):
    with open(os.path.join(os.fsencode(folder), name), "wb") as file:
        np.lib.format.write_array(file, array)


@pytest.mark.parametrize("name", HOSTILE)
def test_any_name_is_quoted(folder, name):
    put_npy(folder, name, PARTS[0])
    path = os.path.join(os.fsencode(folder), name)
    text = recipe(path)
    assert text.isascii()
    assert [os.fsencode(p) for p in constant(text, "FILES")] == [path]
    assert np.array_equal(run(text)["array"], PARTS[0])


@given(st.binary(min_size=1, max_size=40).filter(lambda b: b"\0" not in b))
def test_random_names_are_quoted(name):
    name = name.replace(b"/", b"_") + b".npy"
    folder = datasets.save_npy([]).folder
    try:
        put_npy(folder, name, PARTS[0])
        path = os.path.join(os.fsencode(folder), name)
        assert [os.fsencode(p) for p in constant(recipe(path), "FILES")] == [path]
    finally:
        os.unlink(path)
        os.rmdir(folder)


@pytest.mark.parametrize("name", HOSTILE)
def test_the_name_of_the_output_is_not_in_the_text(data, tmp_path, name):
    output = os.path.join(os.fsencode(tmp_path), name.replace(b"/", b"_"))
    ran = cli.ok("recipe", data, "-o", output)
    text = open(output).read()
    assert " recipe.py\n" in text and text.replace("recipe.py", "") == recipe(data).replace("recipe.py", "")
    assert ran.out.count("\n") == 2 and "\x1b" not in ran.out


NUMBERED = [
    ("s_{}.npy", range(60), True),
    ("s_{}.npy", range(7, 120), True),
    ("s_{:04}.npy", range(51), True),
    ("run1/part-{:03}-x.npy", range(990, 1060), True),
    ("s_{}.npy", [n for n in range(70) if n != 40], False),
    ("{{i}}_{}.npy", range(60), False),
    ('q"_{}.npy', range(60), False),
    ("s_{}.npy", range(50), False),
]


@pytest.mark.parametrize("pattern, numbers, short", NUMBERED)
def test_many_names_that_count_up_are_made(tmp_path, pattern, numbers, short):
    paths = [str(tmp_path / pattern.format(n)) for n in numbers]
    os.makedirs(os.path.dirname(paths[0]), exist_ok=True)
    for path in paths:
        np.save(path, np.float32([len(path)]))
    text = recipe(tmp_path / os.path.dirname(pattern), "--allow-gaps")
    assert constant(text, "FILES") == paths
    assert ("for i in range" in text) == short
    assert np.array_equal(run(text)["array"], [len(p) for p in paths])


def test_an_order_of_ones_own_is_kept(tmp_path):
    paths = [str(tmp_path / f"s_{n}.npy") for n in range(60)]
    for i, path in enumerate(paths):
        np.save(path, np.float32([i]))
    (tmp_path / "list.txt").write_text("\n".join(reversed(paths)))
    assert constant(recipe(f"@{tmp_path / 'list.txt'}"), "FILES") == paths[::-1]


# ---- what is loaded ------------------------------------------------------------------------------


def arguments_of(made):
    """The command line of a random dataset."""
    lo, hi = made.rows
    words = [*made.inputs, f"--rows={'' if lo is None else lo}:{'' if hi is None else hi}"]
    simple = {"format", "source_dtype", "header_bytes", "sidecar"}
    words += [f"--{k.replace('_', '-')}={v}" for k, v in made.options.items() if k in simple]
    if "row_shape" in made.options:
        shape = made.options["row_shape"]
        words.append(f"--row-shape={','.join(map(str, shape)) if shape else '()'}")
    return words + ["--stack"] * bool(made.options.get("stack"))


def in_cupynumeric(array):
    return array.view("i8") if array.dtype.kind in "mM" else array


def check_made(made, processors, on_gpu):
    try:
        whole = made.whole
        if whole.dtype.char in "gG" or whole.ndim > 6:
            cli.fails(1, "recipe", *arguments_of(made))
            return
        got = run(recipe(*arguments_of(made)), processors, on_gpu)["array"]
        assert reference.same(got, in_cupynumeric(whole))
    finally:
        datasets.remove(made)


PROCESSORS = st.sampled_from([1, 2, 3, 8])


@given(datasets.npy_datasets(), PROCESSORS, st.booleans())
def test_npy(made, processors, on_gpu):
    check_made(made, processors, on_gpu)


@given(datasets.raw_datasets(), PROCESSORS, st.booleans())
def test_raw(made, processors, on_gpu):
    check_made(made, processors, on_gpu)


@given(datasets.stacked_datasets(), PROCESSORS, st.booleans())
def test_stacked(made, processors, on_gpu):
    check_made(made, processors, on_gpu)


@pytest.mark.parametrize("on_gpu", [False, True])
def test_conversions(folder, on_gpu):
    cli.npy_folder(folder, [np.float64([1.5, np.nan, -0.0]), np.asarray([2.5e-9, 7], ">f8")])
    for dtype in ("float32", "float16", "complex64"):
        wanted = np.asarray([1.5, np.nan, -0.0, 2.5e-9, 7]).astype(dtype)
        assert reference.same(run(recipe(folder, f"--dtype={dtype}"), on_gpu=on_gpu)["array"], wanted)


@pytest.mark.parametrize("on_gpu", [False, True])
def test_bfloat16(tmp_path, on_gpu):
    """Half a float32: as npy files have it (V2), and in raw files of either order."""
    values = np.float32([0, -0.0, 1.5, -3e38, 1e-40, np.inf, np.nan, 7]).reshape(4, 2)
    halves = values.astype(ml_dtypes.bfloat16)
    for name, options in {
        "x.npy": [],
        "little.bin": ["--format=raw", "--row-shape=2"],
        "big.bin": ["--format=raw", "--row-shape=2"],
    }.items():
        bits = halves.view("u2").astype(">u2" if name == "big.bin" else "<u2")
        content = halves.view("V2") if name == "x.npy" else bits.tobytes()
        path = reference.put(tmp_path, name, content)
        order = ">" if name == "big.bin" else "<"
        source = f"--source-dtype={order if name != 'x.npy' else ''}bfloat16"
        for dtype in ("float32", "float64"):
            text = recipe(path, source, f"--dtype={dtype}", *options)
            wanted = halves.astype("f4").astype(dtype)
            assert reference.same_values(run(text, on_gpu=on_gpu)["array"], wanted)


def test_pieces_smaller_than_a_shard(folder):
    """Rows of a shard that do not come all at once, across tiles and files."""
    cli.npy_folder(folder, [np.arange(n * 3.0).reshape(n, 3) for n in (10, 1, 23)])
    for options, rows in ([], slice(None)), (["--rows=3:29"], slice(3, 29)):
        text = recipe(folder, *options)
        smaller = text.replace(f"PIECE = {constant(text, 'PIECE')}", "PIECE = 4")
        assert smaller != text
        whole = np.concatenate([np.arange(n * 3.0).reshape(n, 3) for n in (10, 1, 23)])
        assert np.array_equal(run(smaller)["array"], whole[rows])


def test_a_piece_is_64_mib(tmp_path):
    np.lib.format.open_memmap(tmp_path / "x.npy", "w+", "f4", (8, 2**20))
    assert constant(recipe(tmp_path / "x.npy"), "PIECE") == 16
    assert constant(recipe(tmp_path / "x.npy", "--dtype=float64"), "PIECE") == 8
    np.lib.format.open_memmap(tmp_path / "y.npy", "w+", "f4", (2, 2**25))
    assert constant(recipe(tmp_path / "y.npy"), "PIECE") == 1


# ---- what goes wrong -----------------------------------------------------------------------------


def test_headers_longer_than_numpy_takes_by_itself(tmp_path):
    header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" + " " * 12000 + "\n"
    path = reference.put(tmp_path, "x.npy", reference.npy(header, PARTS[0][:2].tobytes()))
    assert np.array_equal(run(recipe(path))["array"], PARTS[0][:2])


CHANGES = {
    "other rows": lambda path: np.save(path, np.zeros((5, 3), "f4")),
    "other dtype": lambda path: np.save(path, np.zeros((7, 3), "f8")),
    "other shape": lambda path: np.save(path, np.zeros((7, 4), "f4")),
    "cut off": lambda path: os.truncate(path, 140),
    "no npy file": lambda path: path.write_bytes(b"?" * 300),
    "gone": lambda path: os.unlink(path),
}


@pytest.mark.parametrize("change", CHANGES)
def test_files_that_changed_are_found_before_the_launch(data, change):
    """The row count is that of all files; everything else is told with its file."""
    text = recipe(data)
    CHANGES[change](data / "shard_2.npy")
    with pytest.raises((ValueError, OSError)) as caught:
        run(text.replace("def load()", "def load_not()"))
    told = str(caught.value) + "".join(getattr(caught.value, "__notes__", []))
    assert "shard_2.npy" in told or (change == "other rows" and "9 rows, not 11" in told)


@pytest.mark.parametrize("size", [10, 40, 88])
def test_raw_files_that_changed_are_found_before_the_launch(tmp_path, size):
    path = reference.put(tmp_path, "x.bin", bytes(4 + 84))
    text = recipe(path, "--format=raw", "--source-dtype=f4", "--row-shape=3", "--header-bytes=4")
    os.truncate(path, size - (size == 88) * 12)
    with pytest.raises(ValueError):
        run(text)


def test_a_wrong_cell_is_found(data):
    text = recipe(data)
    spoilt = text.replace("    check(array)", "    array[10, 2] += 1\n    check(array)")
    with pytest.raises(RuntimeError, match=r"shard_2\.npy"):
        run(spoilt)


REFUSED = [
    ("null:10x2", [], "null"),
    ("g.npy", [], "--dtype float64"),
    ("G.npy", [], "--dtype complex128"),
    ("many.npy", [], "6 axes"),
    ("f8.npy", ["--source-dtype=float8_e5m2"], "float8_e5m2"),
]


@pytest.mark.parametrize("name, options, word", REFUSED)
def test_what_cannot_be_loaded_is_refused(tmp_path, name, options, word):
    arrays = {
        "g.npy": np.zeros(3, "g"),
        "G.npy": np.zeros(3, "G"),
        "many.npy": np.zeros((1,) * 7),
        "f8.npy": np.zeros(3, "V1"),
    }
    path = reference.put(tmp_path, name, arrays[name]) if name in arrays else name
    ran = cli.fails(1, "recipe", path, "-o", tmp_path / "recipe.py", *options)
    assert word in ran.err and ran.err.count("\n") == 1
    assert not (tmp_path / "recipe.py").exists()
    if name in ("g.npy", "G.npy"):
        assert run(recipe(path, *word.split()))["array"].shape == (3,)


# ---- output --------------------------------------------------------------------------------------


def test_output_as_json(data, tmp_path):
    got = cli.ok("recipe", data, "--json").json
    assert got["recipe"] == recipe(data) and got["path"] is None
    assert f"--sysmem {got['sysmem']} " in got["recipe"]
    assert (got["shape"], got["dtype"], got["array_dtype"]) == ([11, 3], "float32", "float32")
    output = str(tmp_path / "my.py")
    got = cli.ok("recipe", data, "--json", "-o", output).json
    assert got["path"] == output and got["recipe"] == open(output).read()
    np.save(tmp_path / "t.npy", np.zeros(3, "M8[ns]"))
    got = cli.ok("recipe", tmp_path / "t.npy", "--json").json
    assert (got["dtype"], got["array_dtype"]) == ("datetime64[ns]", "int64")
    assert "times" in got["recipe"]


def test_the_output_is_replaced_as_a_whole(data, tmp_path):
    output = tmp_path / "my.py"
    output.write_text("an older one")
    ran = cli.ok("recipe", data, "-o", output)
    assert ran.out.startswith(f"recipe written to {output}")
    assert output.read_text().startswith('"""Loads 2 npy files')
    assert sorted(p.name for p in tmp_path.iterdir()) == ["data", "my.py"]


@pytest.mark.parametrize("name", ["shard_0.npy", "shard_2.npy"])
def test_a_shard_is_not_replaced(data, name):
    before = cli.files_of(data)
    assert name in cli.fails(2, "recipe", data, "-o", data / name).err
    assert cli.files_of(data) == before
    cli.fails(2, "recipe", data, "-o", "")


def test_what_is_wrong_is_told_as_ever(folder):
    cli.npy_folder(folder, [np.zeros((2, 3 + i % 2)) for i in range(4)])
    ran = cli.fails(1, "recipe", folder)
    assert "shard_1.npy" in ran.err and "shard_3.npy" in ran.err

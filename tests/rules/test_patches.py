# SPDX-License-Identifier: Apache-2.0
"""Patches of `muster assess --format patch`: git and patch take them, the programs compute the same.

Results are those of NumPy, before and after; what a patch should hold is written down by hand or
follows from the suggestions of the JSON report.
"""

import ast
import collections
import itertools
import json
import os
import pathlib
import shutil
import subprocess

import pytest
from support import cli, inputs
from test_suggestions import CASES, PROGRAMS, compiles, equal, outcome, run

HERE = pathlib.Path(__file__).parent
OWN = sorted((HERE / "programs").glob("*.py"))
TOOLS = {"git": ["git", "apply", "--whitespace=nowarn", "-"], "patch": ["patch", "--binary", "-s", "-p1"]}
HEAD = "import numpy as np\n\n\ndef f(n: int):\n    x = np.zeros(40)\n    y = np.ones(40)\n    for _ in range(n):\n"
BODY = "        x = x + y\n    return x\n"


def names(paths):
    """Each path; a sanitized program is asked for memory errors, for which every fourth will do."""
    paths = paths[:: 4 if cli.sanitized() else 1]
    return pytest.mark.parametrize("path", paths, ids=lambda path: path.name)


def assess(folder, *arguments, status=0):
    """(bytes of the report, notes)"""
    with cli.start("assess", "--manifest=carried", *arguments, cwd=folder) as process:
        out, err = process.communicate(timeout=60)
    assert process.returncode == status, err
    return out, cli.decode(err)


def patch_of(folder, *arguments):
    return assess(folder, "--format", "patch", *arguments)


def put_in(tool, folder, patch):
    """Nothing is fuzzy: what a tool says is a fault."""
    command, environment = TOOLS[tool], cli.CLEAN | {"GIT_CEILING_DIRECTORIES": str(folder.parent)}
    ran = subprocess.run(command, cwd=folder, input=patch, env=environment, capture_output=True)
    assert ran.returncode == 0 and not ran.stdout and not ran.stderr, (ran, patch)


def contents(folder):
    root = os.fsencode(folder)
    files = [os.path.join(at, name) for at, _, found in os.walk(root) for name in found]
    return {os.path.relpath(path, root): pathlib.Path(os.fsdecode(path)).read_bytes() for path in files}


def patched(folder, *arguments):
    """The folder's files after the patch, which both tools put in alike; sources stay as they are."""
    before = contents(folder)
    patch, notes = patch_of(folder, *arguments)
    assert contents(folder) == before
    results = []
    for tool in TOOLS if patch else []:
        copy = folder.parent / f"{folder.name}-{tool}"
        shutil.copytree(folder, copy)
        put_in(tool, copy, patch)
        results.append(contents(copy))
    assert all(result == results[0] for result in results)
    return (results[0] if results else before), notes


@pytest.fixture
def project(tmp_path):
    path = tmp_path / "project"
    path.mkdir()
    return path


def findings(folder, name):
    return json.loads(assess(folder, "--format", "json", name)[0])["findings"]


def safe_of(folder, name):
    return [f for f in findings(folder, name) if f["suggestion"] and f["suggestion"]["safe"]]


# ---- programs --------------------------------------------------------------------------------------


@names(OWN + PROGRAMS)
def test_safe_patches_compute_the_same(path, project):
    """Until nothing is left: what one patch had to leave out comes with the next."""
    name = path.name
    text = path.read_text()
    (project / name).write_text(text)
    left = len(safe_of(project, name))
    assert left or path not in OWN
    for turn in itertools.count():
        files, notes = patched(project, name)
        new = files[name.encode()].decode()
        whole = notes.count("cannot be replaced as a whole")
        if new == text:
            break
        project = project.parent / f"next-{turn}"
        project.mkdir()
        (project / name).write_text(new)
        assert len(safe_of(project, name)) < left
        left, text = len(safe_of(project, name)), new
    assert left == whole
    assert path not in OWN or left == 0
    assert equal(run(text, path.stem), run(path.read_text(), path.stem))


@names(OWN)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_own_programs_with_other_inputs(path, seed, project):
    (project / path.name).write_text(path.read_text())
    files, _ = patched(project, path.name)
    before, after = {"__name__": ""}, {"__name__": ""}
    exec(path.read_text(), before)  # noqa: S102: programs of our own
    exec(files[path.name.encode()].decode(), after)  # noqa: S102
    assert files[path.name.encode()].decode() != path.read_text()
    assert equal(after["main"](seed), before["main"](seed))


def test_patch_of_a_small_program(project):
    (project / "a.py").write_text(HEAD + BODY)
    patch, notes = patch_of(project, "a.py")
    assert notes == ""
    assert patch.decode() == (
        "--- a/a.py\n+++ b/a.py\n@@ -5,5 +5,5 @@\n     x = np.zeros(40)\n     y = np.ones(40)\n"
        "     for _ in range(n):\n-        x = x + y\n+        x += y\n     return x\n"
    )


def cases_in(folder):
    for path in sorted(CASES.glob("*.py")):
        if compiles(path.read_bytes().decode("latin-1")):
            (folder / path.name).write_bytes(path.read_bytes())


def test_patches_of_cases_compile(project):
    """Also with the unsafe ones."""
    cases_in(project)
    files, _ = patched(project, "--unsafe-suggestions", ".")
    assert sum(new != (project / os.fsdecode(name)).read_bytes() for name, new in files.items()) > 30
    for new in files.values():
        ast.parse(new)


def test_safe_patches_of_cases_compute_the_same(project):
    """All functions that change, with inputs of random numbers; afterwards the findings are gone."""
    cases_in(project)
    files, notes = patched(project, ".")
    before = safe_of(project, ".")
    assert len(before) > 10
    after = project.parent / "after"
    after.mkdir()
    for name, new in files.items():
        old = (project / os.fsdecode(name)).read_text()
        (after / os.fsdecode(name)).write_bytes(new)
        if new.decode() != old:
            inputs.compare(old, new.decode(), os.fsdecode(name))
    left = collections.Counter((f["path"], f["id"]) for f in findings(after, "."))
    was = collections.Counter((f["path"], f["id"]) for f in findings(project, "."))
    done = collections.Counter((f["path"], f["id"]) for f in before)
    assert "left out" not in notes
    assert not {key: left[key] for key in done if left[key] != was[key] - done[key]}


@names(PROGRAMS)
def test_unsafe_patches_are_put_in(path, project):
    """Where all unsafe ones are said to compute the same, they do."""
    text = path.read_text()
    (project / path.name).write_text(text)
    files, _ = patched(project, "--unsafe-suggestions", path.name)
    new = files[path.name.encode()].decode()
    assert new != text
    result = outcome(new, path.stem)
    if " look" not in text and " later" not in text:
        assert equal(result, run(text, path.stem))


def test_hoisted_buffers(project):
    head = "import numpy as np\n\n\ndef f(n: int):\n\tu = np.ones(30)\n"
    rest = "\t\tflux[1:] = u[1:] - u[:-1]\n\t\tu -= 0.1 * flux\n\treturn u\n"
    loop = "\tfor step in range(n):\n"
    (project / "a.py").write_text(head + loop + "\t\tflux = np.zeros_like(u)  # new\n" + rest)
    files, notes = patched(project, "--unsafe-suggestions", "--rule=R201", "a.py")
    right = head + "\tflux = np.zeros_like(u)\n" + loop + "\t\tflux.fill(0)  # new\n" + rest
    assert notes == "" and files[b"a.py"].decode() == right


def test_convergence_is_tested_less_often(project):
    head = "import numpy as np\n\n\ndef f(u: np.ndarray):\n    err = np.max(u)\n"
    rest = "        u *= 0.5\n        err = np.max(u)\n    return u\n"
    (project / "a.py").write_text(head + "    while err > 1e-6:  # slow\n" + rest)
    assert patch_of(project, "a.py")[0] == b""
    files, _ = patched(project, "--unsafe-suggestions", "--rule=R105", "a.py")
    assert files[b"a.py"].decode() == head + (
        "    turn = 0\n    while turn % 50 != 0 or err > 1e-6:  # slow\n        turn += 1\n" + rest
    )


# ---- bytes -----------------------------------------------------------------------------------------

ENCODINGS = {
    "utf-8": "",
    "utf-8-sig": "",
    "latin-1": "# -*- coding: latin-1 -*-\n",
    "cp1252": "# coding: cp1252\n",
}


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("last", [True, False])
def test_bytes_stay(encoding, end, last, project):
    """All but the statement, whatever the encoding, the line ends, and the end of the file."""
    mark = "é" if encoding != "cp1252" else "é€"
    head = ENCODINGS[encoding] + HEAD + f"        s = '{mark}\x0c'; "
    tail = f"; t = '{mark}'  # {mark} \t\n\tif n: pass\n".replace("\tif", "        if")
    tail += f"        s = '{mark}'" + ("\n" if last else "")
    before, after = ((head + it + tail).replace("\n", end) for it in ("x = x + y", "x += y"))
    (project / "a.py").write_bytes(before.encode(encoding))
    files, notes = patched(project, "a.py")
    assert notes == "" and files[b"a.py"] == after.encode(encoding)


def test_new_lines_end_as_the_others(project):
    text = (
        "import numpy as np\n\n\ndef f(n: int):\n\ta = np.arange(40.0)\n\tb = np.zeros(len(a))\n"
        "\tc = np.ones_like(a)\n\tfor i in range(len(a)):\n\t\tb[i] = a[i] * 2; c[i] = -b[i]"
    )
    right = text[: text.index("\tfor")] + "\tb[:] = a * 2\n\tc[:] = -b"
    (project / "a.py").write_bytes(text.replace("\n", "\r\n").encode())
    files, _ = patched(project, "a.py")
    assert files[b"a.py"].decode() == right.replace("\n", "\r\n")


def test_malformed_text_stays(project):
    """A file that is not UTF-8, though it should be, is changed where it is to be."""
    text = (HEAD + "        s = '?'; x = x + y  # ?\n").encode().replace(b"?", b"\xff\xe9")
    (project / "a.py").write_bytes(text)
    files, _ = patched(project, "a.py")
    assert files[b"a.py"] == text.replace(b"x = x + y", b"x += y")


def test_utf_16_is_said(project):
    (project / "a.py").write_bytes((HEAD + BODY).encode("utf-16"))
    patch, notes = patch_of(project, "a.py")
    assert patch == b"" and "a.py:8 R202: left out: in UTF-16, which no patch can hold" in notes


@pytest.mark.parametrize("lines", [0, 2, 5, 6, 7, 40])
def test_hunks_stand_alone_or_together(lines, project):
    """Places that are far from one another, and near."""
    once = "    for _ in range(n):\n        x = x + y\n"
    text = HEAD + "        x = x + y\n" + "    n += 1\n" * lines + once + "    n += 1\n" * lines
    (project / "a.py").write_text(text)
    files, _ = patched(project, "a.py")
    assert files[b"a.py"].decode() == text.replace("x = x + y", "x += y")
    assert patch_of(project, "a.py")[0].count(b"\n@@") == (2 if lines + 1 > 6 else 1)


# ---- names -----------------------------------------------------------------------------------------

NAMES = [b"with blanks.py", b'quo"tes\'.py', b"back\\slash.py", b"\xc3\xbc.py", b"\xff\xfe.py", b"tab\there.py",
         b"line\nend.py", b"-dash.py", b"%s.py", b"a b/c d.py", b"a\xe9/b.py", b" .py", b"$x`y`.py"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_odd_names(name, project):
    path = os.path.join(os.fsencode(project), name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    pathlib.Path(os.fsdecode(path)).write_text(HEAD + BODY)
    for argument in (".", b"./" + name):
        patch, _ = patch_of(project, argument)
        for tool in TOOLS:
            copy = project.parent / f"{tool}-{len(argument)}"
            shutil.copytree(project, copy)
            put_in(tool, copy, patch)
            assert contents(copy)[name].decode() == HEAD + BODY.replace("x = x + y", "x += y")


def test_absolute_paths_and_paths_above(project):
    (project / "a.py").write_text(HEAD + BODY)
    patch, notes = patch_of(project.parent, project / "a.py")
    assert f"--- a{project}/a.py\n".encode() in patch and "paths are absolute" in notes
    (project / "inner").mkdir()
    patch, notes = patch_of(project / "inner", "../a.py")
    assert patch == b"" and "is above the folder that muster runs in" in notes


def test_standard_input(project):
    (project / "b.py").write_text(HEAD + BODY)
    with open(project / "b.py", "rb") as source:
        patch = cli.ok("assess", "--format=patch", "--stdin-name=b.py", "-", stdin=source, cwd=project).out
    put_in("git", project, patch.encode())
    assert (project / "b.py").read_text() == HEAD + BODY.replace("x = x + y", "x += y")


# ---- what is left out --------------------------------------------------------------------------------


def test_overlaps_are_said(project):
    line = "        x = x + np.zeros(40, order='F')\n"
    (project / "a.py").write_text(HEAD + line)
    files, notes = patched(project, "a.py")
    assert "a.py:8 R202: left out: it overlaps with that for R109 of line 8" in notes
    assert files[b"a.py"].decode() == HEAD + "        x = x + np.zeros(40)\n"
    (project / "a.py").write_bytes(files[b"a.py"])
    patch, notes = patch_of(project, "a.py")
    assert b"+        x += np.zeros(40)\n" in patch and notes == ""


def test_notebooks_are_said(project):
    cell = {"cell_type": "code", "source": HEAD + BODY, "metadata": {}, "outputs": [], "execution_count": None}
    book = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}
    (project / "a.ipynb").write_text(json.dumps(book))
    patch, notes = patch_of(project, "a.ipynb")
    assert patch == b"" and "cell 1, line 8 R202: left out: a notebook, for which there are no patches" in notes


def test_rules_are_chosen(project):
    (project / "a.py").write_text(HEAD + "        x = x + np.zeros(40, order='F')\n")
    assert b"+        x += np.zeros(40, order='F')\n" in patch_of(project, "--rule=R202", "a.py")[0]
    assert b"+        x = x + np.zeros(40)\n" in patch_of(project, "--ignore=R202", "a.py")[0]


def test_nothing_to_do(project):
    (project / "a.py").write_text("print('no arrays')\n")
    patch, notes = patch_of(project, "a.py")
    assert patch == b"" and "the patch is empty" in notes
    assert patch_of(project, "--quiet", "a.py") == (b"", "")


def test_options(project):
    (project / "a.py").write_text(HEAD + BODY)
    ran = cli.fails(2, "assess", "--unsafe-suggestions", "a.py", cwd=project)
    assert "has no meaning without --format patch" in ran.err
    cli.ok("assess", "--format=patch", "-o", "a.patch", "a.py", cwd=project)
    assert (project / "a.patch").read_bytes() == patch_of(project, "a.py")[0]
    cli.fails(2, "assess", "--format=patch", "-o", "a.py", "a.py", cwd=project)
    assess(project, "--format=patch", "--fail-on=light", "a.py", status=1)

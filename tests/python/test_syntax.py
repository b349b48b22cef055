# SPDX-License-Identifier: Apache-2.0
"""The syntax adapter gives the tree that CPython's own parser gives, in our words."""

import ast
import pathlib
import random
import subprocess
import sysconfig
import warnings

import pytest
from support import env, python_ast

DUMP = env.BUILD / "tests/support/dump_tree"
STDLIB = pathlib.Path(sysconfig.get_path("stdlib"))
SAMPLE = 150

#: Where the grammar knows better, or not.
KNOWN = {
    "badsyntax_future8.py": "from __future__ import *",
    "py3_test_grammar.py": "a ^ b & c is read as (a ^ b) & c",
    "test_compile.py": "a line that ends in a dot, in parentheses, and goes on further left",
    "test_grammar.py": "a ^ b & c is read as (a ^ b) & c",
    "test_print.py": "print >>file, x is taken for Python 2",
    "test_traceback.py": "names in wide letters are not made narrow",
    "test_unicode_identifiers.py": "names are not normalised",
}


def dump(paths):
    """For each file its rows, and its faults and failures as they were printed."""
    command = [str(DUMP), *map(str, paths)]
    output = subprocess.run(command, capture_output=True, check=True).stdout
    trees, nodes = {}, {}
    for line in output.decode("utf-8", "surrogateescape").split("\n")[:-1]:
        word, *fields = line.split("\t")
        if word == "file":
            nodes = {0: -1}
            rows, faults = trees[fields[0]] = ([], [])
        elif word == "node":
            number, parent, kind, op, flags, line, start, _, name, path = fields
            nodes[int(number)] = depth = nodes[int(parent)] + 1
            rows.append((depth, kind, int(op), int(flags), name, path, (int(line), int(start))))
        else:
            faults.append((word, *fields))
    return trees


def line_starts(text):
    starts = [0, 0]
    for line in text.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def first_difference(text, found, expected):
    """None, or what stands where the two first differ."""
    starts = line_starts(text)
    for ours, theirs in zip(found, expected):
        line, start = ours[-1]
        place = (line, start - starts[line])
        if ours[:-1] != theirs[:-1] or theirs[-1] not in (None, place):
            return (*ours[:-1], place), theirs
    return None if len(found) == len(expected) else (len(found), len(expected))


def is_comparable(path):
    """CPython reads it, and as the bytes that it is."""
    text = path.read_bytes()
    if text.startswith(b"\xef\xbb\xbf") or b"\r" in text or b"\0" in text:
        return False
    try:
        text.decode("utf-8")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True


def check(paths):
    trees = dump(paths)
    wrong = {}
    for path in paths:
        rows, faults = trees[str(path)]
        text = path.read_bytes()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            difference = first_difference(text, rows, python_ast.rows_of(text))
        if faults or difference:
            wrong[path.name] = (faults[:3], difference)
    return wrong


def library_files():
    """The modules themselves, and some of what lies in packages."""
    modules = sorted(STDLIB.glob("*.py"))
    others = sorted(p for p in STDLIB.rglob("*/*.py") if "site-packages" not in p.parts)
    random.Random(env.SEED).shuffle(others)
    return modules + others[:SAMPLE]


def test_the_standard_library_gives_the_same_trees():
    paths = [path for path in library_files() if is_comparable(path)]
    assert len(paths) > SAMPLE
    wrong = check(paths)
    assert {name: wrong[name] for name in wrong if name not in KNOWN} == {}


@pytest.mark.parametrize(
    "program",
    [
        "x = [*f(a), *b.c, *d[0], *e + g]\n",
        "x = *f(a), *b\n",
        "x[*f(a)] = {*g(b)}\n",
        "type(a).b = c\ntype(a, b)[0] = type(d)\ntype(self).x.y(1).z = 2\n",
        "type = 3\nmatch = type\nmatch(x)\nprint(match, type)\n",
        "x = f'{a:=5} {(b := 3)} {c!r:>{d}} {e=}'\n",
        "match x:\n    case -1 - 2j | (3): pass\n    case A.b(c, d=[e, *_]) as f if f: pass\n",
        "if a:\n    pass\nelif b:\n    pass\nelif c: pass\nelse:\n    pass\n",
        "with (open(a) as b, c as (d, e)): pass\nwith (a): pass\nwith (a, b) as c: pass\n",
        "x = (\n    a  # one\n    # two\n    + b  # three\n)\n",
        "def f(\n    a,  # one\n    # two\n    *,\n    b: int = 1,\n): pass\n",
        "@a\n# between\n@b.c(1)\nasync def f(): await g\n",
        "x = a if b else c if d else lambda *y, z=1: (yield)\n",
        "a < b <= c is not d not in e\nnot a in b\n-a ** -b\nawait_ = 1\n",
        "del a, (b.c, [d[0]])\nglobal e\nassert a, b\nraise a from b\nraise\n",
        "from ... import a\nfrom .b.c import (d as e,\n    f)\nimport g.h as i, j.k\n",
        "x: int\n(y): a.b[c] = 1\nz.w: 'str' = 2\nfor a.b, *c in d, e: pass\nelse: pass\n",
    ],
)
def test_programs_give_the_same_trees(program, tmp_path):
    path = tmp_path / "program.py"
    path.write_text(program)
    assert check([path]) == {}

# SPDX-License-Identifier: Apache-2.0
"""
muster assess on programs and files that mean no good: it ends in time, takes bounded memory, says
which file is wrong, and assesses the others.
"""

import json
import os
import resource
import socket

import pytest
from support import cli, hostile

GIB = 2**30
#: Of processor time, so that a busy machine does not matter.
SECONDS = 60 if cli.sanitized() else 10
#: Sanitized programs are slower by more than the limit above makes up for.
SCALE = 10 if cli.sanitized() else 1
#: Behind these the text is still within a string or a bracket.
NEVER_CLOSED = {"brackets_that_stay_open", "characters", "fstrings", "noise"}


def limit():
    """In the child: it is ended when it takes too long, and gets no more memory than this."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    if not cli.sanitized():  # shadow memory is counted, too
        resource.setrlimit(resource.RLIMIT_AS, (2 * GIB, 2 * GIB))


def run(*arguments, cwd, **options):
    options = {"timeout": 250, "preexec_fn": limit} | options
    return cli.run("assess", "--manifest=carried", *arguments, cwd=cwd, **options)


def assess(*arguments, cwd, **options):
    """The report, without the schema: some have 100,000 findings."""
    ran = run("--json", *arguments, cwd=cwd, **options)
    assert ran.status == 0, ran.err
    return json.loads(ran.out)


def write(path, text):
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return path


def states(found):
    return {f["path"].removeprefix("./"): f["status"] for f in found["files"]}


def told(found):
    """What the diagnostics say, by file."""
    texts = {}
    for d in found["diagnostics"]:
        texts.setdefault(d["path"].removeprefix("./"), []).append(d["message"])
    return {path: "; ".join(messages) for path, messages in texts.items()}


def functions(found, rule="R104"):
    """(path, function) of the findings that count."""
    return {
        (f["path"].removeprefix("./"), f["function"])
        for f in found["findings"]
        if f["id"] == rule and f["counts"]
    }


@pytest.fixture
def here(tmp_path):
    """A folder with one good program, whose finding must be there whatever lies beside it."""
    write(tmp_path / "good.py", hostile.HEAD + hostile.PLAIN)
    return tmp_path


def beside_good(here, *arguments, **options):
    found = assess(*arguments, cwd=here, **options)
    assert ("good.py", "plain") in functions(found)
    return found


# ---- programs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", hostile.PROGRAMS)
def test_a_program_that_is_hard_to_read(here, name):
    write(here / "bad.py", hostile.text(name, SCALE) + hostile.PLAIN)
    found = beside_good(here, "-j1")
    assert states(found) == {"bad.py": "assessed", "good.py": "assessed"}
    assert name in NEVER_CLOSED or ("bad.py", "plain") in functions(found)


@pytest.mark.parametrize("form", ["markdown", "text"])
@pytest.mark.parametrize("name", ["syncs_in_one_loop", "loops", "name_in_a_loop", "python_2", "errors"])
def test_reports_of_it_are_made_in_time(tmp_path, name, form):
    write(tmp_path / "bad.py", hostile.text(name, SCALE) + hostile.PLAIN)
    ran = run("-j1", f"--format={form}", "bad.py", cwd=tmp_path)
    assert ran.status == 0 and "LIGHT REFACTOR" in ran.out


@pytest.mark.parametrize("name", ["sums", "loops_in_loops", "classes", "numbers", "errors"])
def test_a_line_of_it_is_explained_in_time(tmp_path, name):
    text = hostile.text(name, SCALE) + hostile.PLAIN
    write(tmp_path / "bad.py", text)
    ran = run("-j1", "bad.py", f"--explain=bad.py:{text.count(chr(10)) - 1}", cwd=tmp_path)
    assert ran.status == 0 and "R104" in ran.out


def test_depth_is_told(here):
    write(here / "bad.py", hostile.text("signs", SCALE) + hostile.PLAIN)
    found = beside_good(here)
    assert [d["kind"] for d in found["diagnostics"]] == ["depth"]


def test_numbers_that_are_none(here):
    text = """import numpy as np

a = np.zeros(8)
n = np.inf - np.inf
b = a[2:6:n]
c = a[::n] + a[n] + a[n : n + 2]
d = np.arange(0, 8, n) + np.zeros((n, n)) + a.reshape(n, n)
e = (1 << n) + (1 << 1e300) + 7 % n + 7 // n
for i in range(0, 8, n):
    a[i * n] = e
"""
    write(here / "odd.py", text)
    assert states(beside_good(here))["odd.py"] == "assessed"


@pytest.mark.skipif(cli.sanitized(), reason="all the steps that are allowed are many")
def test_a_program_that_takes_too_many_steps(here):
    write(here / "bad.py", hostile.too_many_steps(50_000))
    write(here / "other.py", "import bad\n" + hostile.HEAD + hostile.PLAIN)
    found = beside_good(here, "-j1")
    assert ("other.py", "plain") in functions(found)
    assert states(found)["bad.py"] == "not assessed"
    assert told(found)["bad.py"] == "its model takes more steps than are allowed"
    assert "2 files that import one another take more steps than are allowed" in told(found)["."]
    assert assess("-j2", cwd=here) == found


# ---- programs of many files ----------------------------------------------------------------------------


def ring(folder, count, statement):
    for i in range(count):
        text = f"import numpy as np\n{statement.format((i + 1) % count)}\n"
        write(folder / f"m{i}.py", text + f"\n\ndef f{i}(a):\n    return f{(i + 1) % count}(a + 1)\n")


@pytest.mark.parametrize(
    "statement",
    ["from m{0} import f{0}", "import m{0}", "from m{0} import *", "from . import m{0}"],
    ids=["names", "modules", "stars", "relative"],
)
def test_modules_that_import_each_other_in_a_ring(here, statement):
    ring(here, 300 // SCALE, statement)
    found = beside_good(here)
    assert set(states(found).values()) == {"assessed"}


def test_modules_that_import_all_of_each_other(here):
    count = 100 // SCALE
    stars = "".join(f"from m{i} import *\n" for i in range(count))
    for i in range(count):
        write(here / f"m{i}.py", f"{stars}from numpy import *\n\n\ndef f{i}(a):\n    return sqrt(a)\n")
    assert set(states(beside_good(here)).values()) == {"assessed"}


def test_a_module_that_imports_itself(here):
    text = "from me import *\nfrom . import me\nimport me as np\nfrom numpy import *\n"
    write(here / "me.py", text + "me.me.me.zeros(3)\nnp.np.np = me\n")
    assert states(beside_good(here))["me.py"] == "assessed"


def test_names_that_are_handed_on_in_a_ring(here):
    write(here / "a.py", "import numpy\nfrom b import x as y\nz = y + numpy.zeros(3)\n")
    write(here / "b.py", "from a import y as x\n")
    assert states(beside_good(here))["b.py"] == "assessed"


def test_packages_of_one_name_beside_each_other(here):
    (here / "p").mkdir()
    write(here / "p.py", "from p.q import *\nimport numpy\n")
    write(here / "p/__init__.py", "from .. import p\nfrom ....... import q\nimport numpy\n")
    write(here / "p/q.py", "from . import q, p\nfrom .q import *\nimport numpy\n")
    assert set(states(beside_good(here)).values()) == {"assessed"}


# ---- files that are no text ------------------------------------------------------------------------------

BAD_FILES = {
    "binary": (b"\x7fELF\0\0\0import numpy\0" * 100, "binary"),
    "large": (hostile.HEAD.encode() + b"# x\n" * (5 << 18), "4 MiB"),
    "one-large-line": (b"import numpy as np; x = '" + b"x" * (100 << 20) + b"'\n", "4 MiB"),
    "utf-32": ("import numpy\n".encode("utf-32"), "binary"),
    "nul-at-the-end": (hostile.HEAD.encode() + b"\0", "binary"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_that_is_not_assessed(here, name):
    content, reason = BAD_FILES[name]
    write(here / "bad.py", content)
    found = beside_good(here)
    assert states(found)["bad.py"] == "not assessed"
    assert reason in told(found)["bad.py"]
    assert reason in next(f["reason"] for f in found["files"] if f["path"].endswith("bad.py"))


ENCODINGS = {
    "latin-1": "# coding: latin-1\nname = 'é'\n".encode("latin-1"),
    "cp1252": "# -*- coding: cp1252 -*-\nname = '€'\n".encode("cp1252"),
    "utf-8-bom": b"\xef\xbb\xbf# \xc3\xa9\n",
    "utf-16": b"",
    "no-declaration": b"name = '\xe9'\n",
    "unknown": b"# coding: klingon\nname = '\xe9'\n",
    "koi8-r": "# coding: koi8-r\nname = 'имя'\n".encode("koi8-r"),
    "wrong-declaration": b"# coding: utf-8\nname = '\xff\xfe'\n",
    "surrogates": b"name = '\xed\xa0\x80'\n",
    "overlong": b"name = '\xc0\x80\xf8\x88\x80\x80\x80'\n",
}


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("name", ENCODINGS)
def test_any_encoding(here, name, ends):
    program = (hostile.HEAD + hostile.PLAIN).replace("\n", ends)
    head = ENCODINGS[name].replace(b"\n", ends.encode())
    content = program.encode("utf-16") if name == "utf-16" else head + program.encode()
    write(here / "bad.py", content)
    found = beside_good(here)
    assert states(found)["bad.py"] == "assessed"
    assert ("bad.py", "plain") in functions(found)


def test_every_byte_there_is(here):
    for i in range(256):
        program = hostile.HEAD.encode() + b"x = " + bytes([i]) * 3 + b"\n" + hostile.PLAIN.encode()
        write(here / f"b{i}.py", program)
    found = beside_good(here)
    assert [p for p, s in states(found).items() if s != "assessed"] == ["b0.py"]


def test_empty_files(here):
    for name, content in {"a.py": b"", "b.py": b"\n", "c.py": b"\xef\xbb\xbf", "d.py": b"\\"}.items():
        write(here / name, content)
    found = beside_good(here)
    assert {s for p, s in states(found).items() if p != "good.py"} == {"skipped"}
    assert told(found) == {}
    lines = {f["path"].removeprefix("./"): f["lines"] for f in found["files"]}
    assert (lines["a.py"], lines["b.py"], lines["c.py"], lines["d.py"]) == (0, 1, 0, 1)


# ---- notebooks -------------------------------------------------------------------------------------------


def notebook(*sources, **more):
    cells = [{"cell_type": "code", "source": s} for s in sources]
    return json.dumps({"cells": cells, "nbformat": 4, "metadata": {}} | more)


BROKEN_NOTEBOOKS = {
    "empty": "",
    "no-json": "import numpy as np\n",
    "half": notebook("import numpy as np")[:-20],
    "a-list": "[1, 2]",
    "a-number": "1e999",
    "no-cells": "{}",
    "cells-are-a-text": '{"cells": "import numpy"}',
    "null": "null",
    "deep": "[" * 100_000,
    "two-values": notebook("import numpy") * 2,
    "binary": b"\0\1\2" * 100,
    "not-utf8": b'{"cells": [{"cell_type": "code", "source": "\xff"}]',
}


@pytest.mark.parametrize("name", BROKEN_NOTEBOOKS)
def test_a_broken_notebook(here, name):
    write(here / "bad.ipynb", BROKEN_NOTEBOOKS[name])
    found = beside_good(here)
    assert states(found)["bad.ipynb"] == "not assessed" and told(found)["bad.ipynb"]


def test_a_notebook_of_lists_in_lists(here):
    write(here / "bad.ipynb", '{"cells":' + "[" * 100_000 + "]" * 100_000 + "}")
    assert states(beside_good(here))["bad.ipynb"] != "assessed"


ODD_CELLS = {
    "numbers": [1, None, True, {"source": 3}, {"cell_type": "code"}, {"cell_type": 3, "source": ""}],
    "lists-of-lists": [{"cell_type": "code", "source": [["import numpy"], None, 3, "x = 1\n"]}],
    "nul": [{"cell_type": "code", "source": "x = '\0'\n"}],
    "surrogates": [{"cell_type": "code", "source": "x = '\ud800'\n"}],
    "many": [{"cell_type": "code", "source": "x = 1\n"}] * 20_000,
    "many-lines": [{"cell_type": "code", "source": ["x = 1\n"] * 20_000}],
    "magics": [{"cell_type": "code", "source": "%" * 50_000 + "\n!" * 50_000 + "\n%%\n" * 50_000}],
    "questions": [{"cell_type": "code", "source": "?\n??\nx?\n?x??\nx = !ls\nx = %time\n" * 5_000}],
}


@pytest.mark.parametrize("name", ODD_CELLS)
def test_odd_cells(here, name):
    good = {"cell_type": "code", "source": hostile.HEAD + hostile.PLAIN}
    cells = [*ODD_CELLS[name], good]
    write(here / "odd.ipynb", json.dumps({"cells": cells, "nbformat": 4}))
    found = beside_good(here)
    if states(found)["odd.ipynb"] == "assessed":
        (finding,) = [f for f in found["findings"] if f["id"] == "R104" and f["cell"] is not None]
        assert finding["cell"] == len(cells) and finding["function"] == "plain"
    else:
        assert told(found)["odd.ipynb"]


def test_half_of_a_character_in_a_notebook(here):
    cells = [{"cell_type": "markdown", "source": "\ud83d and \ud83d\ude00 \\ud83d"}]
    cells += [{"cell_type": "code", "source": hostile.HEAD + hostile.PLAIN}]
    write(here / "book.ipynb", json.dumps({"cells": cells, "nbformat": 4}))
    found = beside_good(here)
    assert ("book.ipynb", "plain") in functions(found) and told(found) == {}


def test_cells_that_are_not_closed_are_told_one_by_one(here):
    write(here / "book.ipynb", notebook("x = (", hostile.HEAD + hostile.PLAIN, "s = \'\'\'a"))
    found = beside_good(here)
    assert ("book.ipynb", "plain") in functions(found)
    at = [(d["cell"], d["line"], d["kind"]) for d in found["diagnostics"]]
    assert at == [(1, 1, "syntax"), (3, 1, "syntax")]


def test_a_fault_is_told_once_a_line(here):
    write(here / "bad.py", hostile.HEAD + "cdef int a, b; cdef int c; cdef int d; cdef int e\n" * 3)
    faults = [(d["line"], d["kind"], d["message"]) for d in beside_good(here)["diagnostics"]]
    assert faults and len(set(faults)) == len(faults)


# ---- what is no file ---------------------------------------------------------------------------------------


def test_links_that_lead_round(here):
    os.symlink(".", here / "here")
    os.symlink("..", here / "above")
    os.symlink("b", here / "a")
    os.symlink("a", here / "b")
    os.symlink("me.py", here / "me.py")
    os.symlink("absent.py", here / "dangling.py")
    found = beside_good(here)
    assert [p for p, s in states(found).items() if s == "assessed"] == ["good.py"]


def test_a_folder_deep_below(here):
    path = here
    for _ in range(200):
        path = path / "deep"
        path.mkdir()
    write(path / "a.py", hostile.HEAD + hostile.PLAIN)
    assert len(functions(beside_good(here))) == 2


def test_pipes_sockets_and_devices_are_not_opened(here):
    os.mkfifo(here / "pipe.py")
    os.mkfifo(here / "pipe.ipynb")
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(here / "socket.py"))
        os.symlink("/dev/zero", here / "zero.py")
        os.symlink("/dev/stdin", here / "stdin.py")
        (here / "folder.py").mkdir()
        found = beside_good(here)
        for name in ("pipe.py", "pipe.ipynb", "socket.py", "/dev/zero", "/dev/null"):
            ran = run(name, cwd=here)
            assert ran.status == 2 and ran.err, name
    assert states(found)["good.py"] == "assessed"
    assert "assessed" not in {s for p, s in states(found).items() if p != "good.py"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read all files")
def test_files_that_may_not_be_read(here):
    write(here / "secret.py", hostile.HEAD).chmod(0)
    (here / "closed").mkdir(0)
    found = beside_good(here)
    (here / "closed").chmod(0o700)
    assert states(found)["secret.py"] == "not assessed"
    assert "ermission" in told(found)["secret.py"]


def test_names_that_are_no_text(here):
    for name in (b"\xff\xfe.py", b"\x1b[31m.py", b"a\nb.py", b" .py", b"-.py", b"%s%n.py", b"#.py"):
        with open(os.path.join(os.fsencode(here), name), "wb") as file:
            file.write((hostile.HEAD + hostile.PLAIN).encode())
    found = beside_good(here)
    assert len(functions(found)) == 8
    for form in ("markdown", "text"):
        out = run(f"--format={form}", cwd=here).out
        assert "\x1b" not in out and out.encode("utf-8")


def test_one_of_each_beside_a_good_one(here):
    for name, (content, _) in BAD_FILES.items():
        if len(content) < 5 << 20:
            write(here / f"{name}.py", content)
    for name, content in BROKEN_NOTEBOOKS.items():
        write(here / f"{name}.ipynb", content)
    for name in ("python_2", "errors", "noise", "brackets_that_stay_open"):
        write(here / f"{name}.py", hostile.text(name, 100))
    os.symlink("loop.py", here / "loop.py")
    found = beside_good(here)
    assert found["verdict"] == "LIGHT REFACTOR"
    reports = {run("--json", f"-j{j}", cwd=here).out for j in (1, 2, 5)}
    assert len(reports) == 1 and cli.parse(reports.pop())


# ---- standard input ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"\0" * 100, b"x" * (65 << 20)], ids=["binary", "65 MiB"])
def test_standard_input_that_is_no_program(tmp_path, content):
    with open(write(tmp_path / "input", content), "rb") as file:
        ran = run("-", cwd=tmp_path, stdin=file)
    assert ran.status == 2 and "standard input" in ran.err or "<stdin>" in ran.err
    assert ran.out == ""


def test_standard_input_that_is_closed(tmp_path):
    ran = run("-", cwd=tmp_path, stdin=None, preexec_fn=lambda: os.close(0))
    assert ran.status == 2 and "cannot read" in ran.err and ran.out == ""


def test_standard_input_that_is_a_folder(tmp_path):
    folder = os.open(tmp_path, os.O_RDONLY)
    ran = run("-", cwd=tmp_path, stdin=folder)
    os.close(folder)
    assert ran.status == 2 and "cannot read" in ran.err


# ---- options -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["--elements=9223372036854775807"],
        ["--elements=1", "--gpus=4294967295", "--nodes=4294967295"],
        ["--fbmem=1"],
        ["--fbmem=18446744073709551615"],
        ["--cpu-only", "--sysmem=1"],
        ["--gpu-model=" + "x" * 100_000],
        ["--gpu-model=\x1b[31m|`<b>"],
        ["--date=9999-12-31"],
        ["--date=0001-01-01"],
        ["--cuda=4294967295"],
        ["--explain=good.py:4294967295"],
        ["--explain=good.py:0"],
        ["--explain=good.py:4294967295:4294967295"],
        ["-j4096"],
    ],
)
def test_options_at_their_limits(here, arguments):
    forms = [[]] if any(a.startswith("--explain") for a in arguments) else [["--json"], ["--format=text"], []]
    for form in forms:
        ran = run(*arguments, *form, "good.py", cwd=here)
        assert ran.status in (0, 2) and bool(ran.out) != bool(ran.status) and "\x1b" not in ran.out

# SPDX-License-Identifier: Apache-2.0
"""Comments that take findings out of the verdict: where they hold, and what is said of those that do not."""

import json

import pytest
from support import cli

HEAD = "import numpy as np\n\n\ndef f(u, n):\n"
TAIL = "    return u\n\n\ndef main():\n    return f(np.zeros((4096, 4096)), 100)\n"


def assess(tmp_path, body, name="a.py", head=HEAD, tail=TAIL):
    (tmp_path / name).write_text(head + body + tail)
    return cli.ok("assess", "--isolated", "--json", name, cwd=tmp_path).json


def suppressed(report):
    found = report["findings"] + [{"id": g["name"], **g} for g in report["gaps"]]
    return sorted((f["id"], f["line"], f["suppressed"]["reason"]) for f in found if "suppressed" in f)


def diagnostics(report):
    return [(d["line"], d["kind"], d["message"]) for d in report["diagnostics"]]


# ---- where they hold ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body, expected",
    [
        ("    a = u[::2]  # muster: ignore[R106] on the host\n", [("R106", 5, "on the host")]),
        ("    a = u[::2]  #muster:ignore[R106]\n", [("R106", 5, None)]),
        ("    a = u[::2]  # noqa: E1  # muster: ignore[ R104 , R106 ]  two \n", [("R106", 5, "two")]),
        ("    a = (u[::2]\n         + 1\n         )  # muster: ignore[R106] last line\n", [("R106", 5, "last line")]),
        ("    a = (1 +  # muster: ignore[R106] first line\n         u[::2])\n", [("R106", 5, "first line")]),
        ("    if u[::2].shape == (  # muster: ignore[R106] head\n        1, 2):\n        pass\n", [("R106", 5, "head")]),
        ("    if (u[::2].shape ==\n        u.shape\n        ):  # muster: ignore[R106] colon\n        pass\n",
         [("R106", 5, "colon")]),
        ("    for i in range(n):  # muster: ignore[R106] loop\n        if i > 3:\n            a = u[::2]\n",
         [("R106", 7, "loop")]),
        ("    while n > 0:  # muster: ignore[R106] outer\n        n -= 1\n        for i in range(9):\n"
         "            a = u[::2]\n", [("R106", 8, "outer")]),
        ("    a = np.interp(u, u, u)  # muster: ignore[API] all\n", [("numpy.interp", 5, "all")]),
        ("    a = np.interp(u, u, u)  # muster: ignore[numpy.interp] one\n", [("numpy.interp", 5, "one")]),
        ("    a = u[::2]\n    # muster: ignore-file[R106] anywhere\n    b = u[::3]\n",
         [("R106", 5, "anywhere"), ("R106", 7, "anywhere")]),
        ("    # x\n" * 60 + "    # muster: ignore-file[R106] within many\n" + "    # x\n" * 60 + "    a = u[::2]\n",
         [("R106", 126, "within many")]),
    ],
)
def test_it_holds(tmp_path, body, expected):
    report = assess(tmp_path, body)
    got = suppressed(report)
    assert got == expected
    assert [d for d in diagnostics(report) if d[1] == "unused-suppression" and "R104" not in d[2]] == []
    assert not any(f["counts"] for f in report["findings"] if "suppressed" in f)


@pytest.mark.parametrize(
    "body",
    [
        '    s = "# muster: ignore[R106]"; a = u[::2]\n',
        '    """\n    # muster: ignore-file[R106] text\n    """\n    a = u[::2]\n',
        '    a = u[::2], f"{n}# muster: ignore[R106]"\n',
    ],
)
def test_strings_are_no_comments(tmp_path, body):
    report = assess(tmp_path, body)
    assert suppressed(report) == [] and diagnostics(report) == []


@pytest.mark.parametrize(
    "body, line",
    [
        ("    # muster: ignore[R106] a line of its own\n    a = u[::2]\n", 5),
        ("    a = u[::2]\n    b = 1  # muster: ignore[R106] the next one\n", 6),
        ("    if n:  # muster: ignore[R106] no loop\n        a = u[::2]\n", 5),
        ("    for i in range(n):  # muster: ignore[R106] not its else\n        pass\n    else:\n        a = u[::2]\n", 5),
        ("    a = u[::2]  # muster: ignore[R104] another rule\n", 5),
    ],
)
def test_elsewhere_it_is_unused(tmp_path, body, line):
    report = assess(tmp_path, body)
    assert suppressed(report) == []
    assert [(d[0], d[1]) for d in diagnostics(report)] == [(line, "unused-suppression")]
    assert any(f["counts"] for f in report["findings"] if f["id"] == "R106")


@pytest.mark.parametrize(
    "comment, words",
    [
        ("# muster: ignore", "name the ids"),
        ("# muster: ignore because", "name the ids"),
        ("# muster: ignore[] because", "name the ids"),
        ("# muster: ignore[R106 because", "no end"),
        ("# muster: ignore[R1O6] because", "did you mean 'R106'"),
        ("# muster: ignore[everything]", "there is no rule"),
        ("# muster: ignore[np.interp]", "write 'numpy.interp'"),
        ("# muster: ingore[R106] because", "did you mean 'ignore'"),
        ("# muster: ignore-file[R106] because", "begin its line"),
    ],
)
def test_mistakes_are_told(tmp_path, comment, words):
    report = assess(tmp_path, f"    a = u[::2]  {comment}\n")
    assert suppressed(report) == []
    [(line, kind, message)] = diagnostics(report)
    assert (line, kind) == (5, "suppression") and words in message


def test_remarks_about_the_tool_are_no_mistakes(tmp_path):
    assert diagnostics(assess(tmp_path, "    a = u[::2]  # muster: see the handbook\n")) == []


# ---- notebooks, reports, verdicts ----------------------------------------------------------------------


def test_notebooks(tmp_path):
    cells = [
        HEAD + "    a = u[::2]  # muster: ignore[R106] here\n    return u",
        "# muster: ignore-file[API] all cells\nx = f(np.zeros((4096, 4096)), 9)\nfor i in range(99):\n"
        "    y = np.interp(x, x, x)",
    ]
    sources = [{"cell_type": "code", "source": c, "metadata": {}, "outputs": []} for c in cells]
    notebook = {"cells": [{"cell_type": "markdown", "source": "x"}, *sources], "nbformat": 4, "metadata": {}}
    (tmp_path / "a.ipynb").write_text(json.dumps(notebook))
    report = cli.ok("assess", "--isolated", "--json", "a.ipynb", cwd=tmp_path).json
    assert suppressed(report) == [("R106", 5, "here"), ("numpy.interp", 4, "all cells")]
    assert {(f["cell"], f["line"]) for f in report["findings"] + report["gaps"] if "suppressed" in f} == {(2, 5), (3, 4)}


def test_what_reports_say(tmp_path):
    body = "    a = u[::2]  # muster: ignore[R106] on | the <host>\n    b = u[::3]  # muster: ignore[R101] gone\n"
    assess(tmp_path, body)
    markdown = cli.ok("assess", "--isolated", "a.py", cwd=tmp_path).out
    assert "### Suppressed\n\n| Id | Where | Reason |\n|---|---|---|\n| R106 | `a.py:5` | on \\| the &lt;host> |" in markdown
    assert "Suppressions to look at:\n\n- `a.py:6`: nothing of R101" in markdown
    headings = [line for line in markdown.splitlines() if line.startswith("## ")]
    assert [h.split(".")[0] for h in headings] == [f"## {n}" for n in range(1, 9)]
    text = cli.ok("assess", "--isolated", "--format", "text", "a.py", cwd=tmp_path).out
    assert "Not counted: 1 suppressed, of which 1 raises." in " ".join(text.split())
    assert "Suppressions to look at" in text


def test_the_verdict_and_its_exit_status(tmp_path):
    assess(tmp_path, "    a = u[::2]\n")
    assert cli.run("assess", "--isolated", "--fail-on", "light", "a.py", cwd=tmp_path).status == 1
    report = assess(tmp_path, "    a = u[::2]  # muster: ignore[R106] host\n")
    assert report["verdict"] == "READY" and report["runs"] is True and report["next_steps"] == []
    assert cli.run("assess", "--isolated", "--fail-on", "light", "a.py", cwd=tmp_path).status == 0


def test_explanations_tell_of_it(tmp_path):
    assess(tmp_path, "    a = u[::2]  # muster: ignore[R106] on the host\n")
    out = cli.ok("assess", "--isolated", "--explain", "a.py:5", "a.py", cwd=tmp_path).out
    assert "suppressed by the comment of line 5: on the host" in out and "; does not count" in out


def test_very_many_comments(tmp_path):
    """More of them than are looked at, and long ones, take no time to speak of."""
    body = "".join(f"    a = u[::2]  # muster: ignore[R106] {n}\n" for n in range(5000))
    report = assess(tmp_path, body + "    # muster: ignore[" + "R106," * 100000 + "]\n" + "# muster:" * 10000 + "\n")
    assert len(suppressed(report)) == 4096
    assert any("4,096" in message for _, _, message in diagnostics(report))

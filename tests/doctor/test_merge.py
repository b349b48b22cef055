# SPDX-License-Identifier: Apache-2.0
"""What the Doctor saw of a run, beside what muster found: --doctor.

What is expected follows from the marks in the programs, which say where the Doctor reports what
muster does not. `outputs/` holds what the Doctor wrote of some of them (another folder's name put in), so
that this is tested where cuPyNumeric is not installed; the others run.
"""

import json
import pathlib
import re
import shutil

import pytest
from support import cli, env
from test_doctor import AT_LOOPS, ENGINE, KINDS, NO_RULE, PROGRAMS, doctor_reports, kind_of, marks_of, statement_lines

OUTPUTS = sorted((env.SOURCE / "tests/doctor/outputs").glob("*.json"))

#: What the reason says where a mark tells why there is no finding; where nothing is told, nothing is known.
WORDS = {
    "few": "small number of turns",
    "library": "not assessed",
    "once": "outside of loops",
    "places": "as numbers",
    "recurrence": "recurrence",
    "time": "time loop",
}


def merged(program, output):
    """The reports on the program, with and without what the Doctor saw."""
    ran = cli.ok("assess", "--json", "--manifest=carried", "--doctor", output, program.name, cwd=program.parent)
    plain = cli.ok("assess", "--json", "--manifest=carried", program.name, cwd=program.parent)
    return ran.json, plain.json


def same(finding, line, kind, program):
    rules = KINDS.get(kind, {"R204"})
    around = finding["line"] <= line <= finding["end_line"]
    here = finding["line"] in statement_lines(program, line)
    return finding["id"] in rules and (here or (around and finding["id"] in AT_LOOPS))


def check(program, output):
    report, plain = merged(program, output)
    entries = json.loads(output.read_text())
    own = [(e["lineno"], kind_of(e["description"])) for e in entries if pathlib.Path(e["filename"]).name == program.name]
    for finding in report["findings"]:
        confirmed = any(same(finding, line, kind, program) for line, kind in own)
        works = finding["category"] == "SCALES"
        assert finding.pop("doctor") == (None if works else "confirmed" if confirmed else "static-only")
    marks = marks_of(program)
    only = {(p["path"], p["line"]): p["reason"] for p in report["doctor"]["runtime_only"]}
    for line, kind in own:
        reason = marks.get(line, (None, None))[1]
        if reason:
            assert re.search(WORDS.get(reason, ""), only[program.name, line] or ""), (line, only)
        elif kind != NO_RULE:
            assert (program.name, line) not in only
    for path, _ in only:
        assert path == program.name or "not assessed" in only[path, _]
    report.pop("doctor")
    assert report == plain


@pytest.mark.parametrize("output", OUTPUTS, ids=lambda path: path.stem)
def test_stored_outputs(output):
    check(env.SOURCE / "tests/doctor/programs" / f"{output.stem}.py", output)


@pytest.mark.skipif(not (ENGINE / "stamp-engine").exists(), reason="cuPyNumeric is not installed")
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_outputs_of_runs(path, tmp_path):
    doctor_reports(path, tmp_path)
    output = tmp_path / "doctor.json"
    if not output.exists():
        output.write_text("[]")
    program = tmp_path / "project" / path.name
    program.parent.mkdir()
    shutil.copy(path, program)
    check(program, output)


# ---- by hand ---------------------------------------------------------------------------------------

SLOW = "import numpy as np\n\n\ndef f(n: int):\n    x = np.ones(40)\n    for i in range(n):\n        y = float(x.max())\n        x *= y\n    return x\n"


def entry(path, line, description="Python built-in float used with", **more):
    return {"filename": str(path), "lineno": line, "traceback": "", "source": "s", "description": description} | more


@pytest.fixture
def project(tmp_path):
    path = tmp_path / "project"
    (path / "inner").mkdir(parents=True)
    (path / "util.py").write_text(SLOW)
    (path / "inner/util.py").write_text(SLOW)
    return path


def assess(project, entries, *arguments):
    output = project.parent / "doctor.json"
    output.write_text(entries if isinstance(entries, str) else json.dumps(entries))
    return cli.run("assess", "--manifest=carried", "--doctor", output, *arguments, cwd=project)


def confirmed(project, entries, *paths):
    report = assess(project, entries, "--json", *paths).json
    return {f["path"] for f in report["findings"] if f["doctor"] == "confirmed"}, report["doctor"]


def test_files_are_known_by_the_ends_of_their_paths(project):
    assert confirmed(project, [entry("/x/inner/util.py", 7)], ".")[0] == {"inner/util.py"}
    assert confirmed(project, [entry("/x/util.py", 7)], ".")[0] == {"util.py"}
    assert confirmed(project, [entry("/x/other/util.py", 7)], "./util.py")[0] == {"./util.py"}
    assert confirmed(project / "inner", [entry("/x/util.py", 7)], "../util.py")[0] == {"../util.py"}
    assert confirmed(project, [entry(project / "util.py", 7)], project)[0] == {f"{project}/util.py"}
    found, doctor = confirmed(project, [entry("/x/nutil.py", 7)], ".")
    assert found == set() and doctor["runtime_only"][0]["path"] == "/x/nutil.py"


def test_lines_are_told_once(project):
    entries = [entry("/x/util.py", 5), entry("/x/util.py", 7), entry("/x/util.py", 5)] * 2
    found, doctor = confirmed(project, entries, "util.py")
    assert found == {"util.py"} and doctor["confirmed"] == 1
    assert [(p["path"], p["line"]) for p in doctor["runtime_only"]] == [("util.py", 5)]


def test_kinds_that_are_not_known(project):
    _, doctor = confirmed(project, [entry("/x/util.py", 7, "something new")], "util.py")
    assert doctor["confirmed"] == 0 and "not known here" in doctor["runtime_only"][0]["reason"]


def test_findings_that_are_not_listed_are_seen(project):
    """What --ignore leaves out has not been missed."""
    _, doctor = confirmed(project, [entry("/x/util.py", 7)], "--ignore=R104", "util.py")
    assert doctor == {"confirmed": 0, "runtime_only": []}


def test_empty_output(project):
    assert confirmed(project, [], "util.py") == (set(), {"confirmed": 0, "runtime_only": []})


def test_other_reports(project):
    entries = [entry("/x/util.py", 7), entry("/x/util.py", 5, "iterating over a cuPyNumeric array | \x1b")]
    words = "The Doctor confirms 1 of 1 finding; 1 place was seen by the run alone."
    assert words in " ".join(assess(project, entries, "--format=text", "util.py").out.split())
    text = assess(project, entries, "util.py").out
    assert words in text and "| `util.py:7` | R104 host materialisation in a hot loop | confirmed |" in text
    assert "\x1b" not in text and "array \\| " in text
    assert text.index("## 5.") < text.index("### What the Doctor saw") < text.index("## 6.")
    assert "Doctor saw" not in cli.ok("assess", "util.py", cwd=project).out


WRONG = [
    "", "{", "[", "null", "{}", '"text"', "[1]", "[[]]", "[{}]", '[{"filename": "a.py"}]',
    json.dumps([entry("a.py", 0)]), json.dumps([entry("a.py", -1)]), json.dumps([entry("a.py", 2**32)]),
    json.dumps([entry("a.py", 1.5)]), json.dumps([entry("a.py", "1")]), json.dumps([entry("a.py", 1, None)]),
    json.dumps([entry("a.py", 1) | {"filename": 3}]), json.dumps([entry("a.py", 1)])[:-1],
    "\x00" * 20, "Warning: this is text", json.dumps({"findings": [entry("a.py", 1)]}),
]  # fmt: skip


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_other_files_are_one_clear_error(text, project):
    ran = assess(project, text, "util.py")
    assert ran.status == 2 and ran.out == ""
    assert len(ran.err.splitlines()) == 1 and "doctor.json" in ran.err


def test_files_that_are_not_there(project):
    ran = cli.fails(2, "assess", "--doctor", "none.json", "util.py", cwd=project)
    assert "none.json" in ran.err
    cli.fails(2, "assess", "--doctor", "", "util.py", cwd=project)


def test_truncated_output(project):
    text = OUTPUTS[0].read_text()
    for length in range(0, len(text.rstrip()), 97):
        assert assess(project, text[:length], "util.py").status == 2

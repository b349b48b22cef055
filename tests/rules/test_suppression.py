# SPDX-License-Identifier: Apache-2.0
"""Suppressing, knowing and leaving unchanged: each takes a finding out of the verdict, and nothing else.

The programs are those of test_cases.py; what they amount to without a finding is told by the findings that are
left, so no expected value here is a former output.
"""

import json
import os

import pytest
from support import cli
from test_cases import case_paths, read

#: All programs with MUSTER_SOAK, else every second; a sanitized program is asked for memory errors only.
STEP = 1 if os.environ.get("MUSTER_SOAK") else 8 if cli.sanitized() else 2
CASES = [p for p in case_paths() if p.suffix == ".py"][::STEP]
VERDICTS = ["READY", "LIGHT REFACTOR", "SIGNIFICANT REFACTOR", "NOT RECOMMENDED"]


def assess(path, *options):
    return cli.ok("assess", "--isolated", "--json", *read(path).options, *options, path).json


def suppress(text, ids_by_line):
    """The text with a comment behind each of these lines; None where a line ends within a string."""
    lines = text.split("\n")
    for number, ids in ids_by_line.items():
        lines[number - 1] += f"  # muster: ignore[{', '.join(sorted(ids))}] because"
    changed = "\n".join(lines)
    try:
        same = compile(text, "x", "exec", flags=1024) and compile(changed, "x", "exec", flags=1024)
        return changed if same else None
    except SyntaxError:
        return None


def bare(thing, *more):
    """What must not differ, whether a thing is suppressed or not."""
    left_out = {"suppressed", "state", "counts", *more}
    return {k: v for k, v in thing.items() if k not in left_out}


def program(path, tmp_path, text):
    changed = tmp_path / path.name
    changed.write_text(text)
    return changed


def run_copy(path, copy, *options):
    return cli.ok("assess", "--isolated", "--json", *read(path).options, *options, copy).json


def only_suppressed(path, before, after, ids_by_line):
    """All findings are there, and those on these lines have no say."""
    assert len(before["findings"]) == len(after["findings"])
    for old, new in zip(before["findings"], after["findings"]):
        hit = old["id"] in ids_by_line.get(old["line"], ())
        assert bare(old, "path", "suggestion") == bare(new, "path", "suggestion")
        if hit:
            assert not new["counts"] and new["suppressed"] == {"reason": "because", "line": old["line"]}
        elif "suppressed" not in new:  # another line of the same statement may have it
            assert old["counts"] == new["counts"]


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.name)
def test_suppressed_findings_have_no_say(path, tmp_path):
    text = path.read_text()
    original = program(path, tmp_path, text)
    before = run_copy(path, original)
    counting = {}
    for finding in before["findings"]:
        if finding["counts"] and finding["category"] != "SCALES":
            counting.setdefault(finding["line"], set()).add(finding["id"])
    changed = suppress(text, counting)
    if not counting or changed is None:
        return
    after = run_copy(path, program(path, tmp_path, changed))
    only_suppressed(path, before, after, counting)
    assert [d for d in after["diagnostics"] if "suppression" in d["kind"]] == []
    assert not any(f["counts"] for f in after["findings"] if f["category"] in ("BLOCKS", "REFACTOR"))
    for same in ("loops", "reading", "files", "manifest", "context", "pilot"):
        assert before[same] == after[same], same
    for old, new in zip(before["gates"], after["gates"]):
        if old["gate"] != 3:
            assert old == new
    assert len(before["gaps"]) == len(after["gaps"])
    if after["gates"][0]["status"] != "fail" and "fail" not in {g["status"] for g in after["gates"]}:
        rank = VERDICTS.index(after["verdict"])
        demoted = any(g["level"] in ("none", "single") for g in after["gaps"])
        assert rank <= int(demoted) or any(f["id"] == "R301" for f in after["findings"])


@pytest.mark.parametrize("path", CASES[::2], ids=lambda p: p.name)
def test_a_baseline_of_all_leaves_nothing_to_say(path, tmp_path):
    original = program(path, tmp_path, path.read_text())
    before = run_copy(path, original)
    baseline = tmp_path / "known.json"
    cli.ok("baseline", "update", baseline, "--isolated", original)
    written = cli.parse(baseline.read_text())
    complaints = [f for f in before["findings"] if f["category"] != "SCALES"]
    assert len(written["entries"]) == len(complaints) + len(before["gaps"])
    moved = program(path, tmp_path, "\n\n# moved\n" + path.read_text())
    after = run_copy(path, moved, "--baseline", baseline)
    assert after["fixed"] == []
    for old, new in zip(before["findings"], after["findings"], strict=True):
        assert bare(old, "line", "end_line", "evidence", "message") == bare(
            new, "line", "end_line", "evidence", "message"
        )
        assert new["state"] == ("new" if old["category"] == "SCALES" else "known")
        assert not new["counts"] or old["category"] == "SCALES"
    assert {g["state"] for g in after["gaps"]} <= {"known"}


def test_threads_change_nothing(tmp_path):
    folder = tmp_path / "src"
    folder.mkdir()
    for path in CASES[:60]:
        text = path.read_text().replace("#>", "  # muster: ignore[R101, R104, nothing] why #>")
        (folder / path.name).write_text(text)
    one = cli.ok("assess", "--isolated", "--json", "-j1", folder)
    two = cli.ok("assess", "--isolated", "--json", "-j2", folder)
    assert one.out == two.out
    assert any("suppressed" in f for f in json.loads(one.out)["findings"])

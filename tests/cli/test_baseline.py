# SPDX-License-Identifier: Apache-2.0
"""What is known, and what changed: `assess --baseline`, `assess --diff-base`, `muster baseline`."""

import json
import os
import subprocess

import pytest
from support import cli

#: Two blockers (R106 twice), a gap, and a line that works.
SOURCE = """import numpy as np


def f(u):
    a = u[::2] + 1
    b = u[::3] + 1
    return a, b, np.interp(u, u, u)


def main():
    u = np.zeros((4096, 4096))
    return f(u)
"""


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").write_text(SOURCE)
    return tmp_path


def states(tree, *arguments):
    report = cli.ok("assess", "--isolated", "--json", *arguments, cwd=tree).json
    return report, {(f["id"], f["line"]): f.get("state") for f in report["findings"] if f["category"] == "BLOCKS"}


# ---- the baseline ------------------------------------------------------------------------------------


def test_only_what_is_new_counts(tree):
    cli.ok("baseline", "update", "known.json", "src", cwd=tree)
    assert cli.run("assess", "--fail-on", "light", "src", cwd=tree).status == 1
    assert cli.run("assess", "--fail-on", "light", "--baseline", "known.json", "src", cwd=tree).status == 0
    (tree / "src/a.py").write_text("# one line more\n" + SOURCE.replace("return a,", "c = u[::5]\n    return c, a,"))
    report, found = states(tree, "--baseline", "known.json", "src")
    assert found == {("R106", 6): "known", ("R106", 7): "known", ("R106", 8): "new"}
    assert [f["line"] for f in report["findings"] if f["counts"] and f["category"] == "BLOCKS"] == [8]
    assert [(g["name"], g["state"]) for g in report["gaps"]] == [("numpy.interp", "new")]  # its line has changed
    assert report["fixed"] == [{"rule": "API", "path": "src/a.py", "function": None, "name": "numpy.interp"}]


def test_equal_lines_are_counted(tree):
    """Of several lines alike it matters how many there are, not where."""
    text = SOURCE.replace("u[::3]", "u[::2]").replace("    b =", "    a =")
    (tree / "src/a.py").write_text(text)
    cli.ok("baseline", "update", "known.json", "src", cwd=tree)
    (tree / "src/a.py").write_text(text.replace("    return a, b,", "    a = u[::2] + 1\n    return a, a,"))
    _, found = states(tree, "--baseline", "known.json", "src")
    assert sorted(found.values()) == ["known", "known", "new"]


def test_what_is_fixed_is_told_and_dropped(tree):
    cli.ok("baseline", "update", "known.json", "src", cwd=tree)
    before = json.loads((tree / "known.json").read_text())["entries"]
    (tree / "src/a.py").write_text(SOURCE.replace("u[::3]", "u"))
    ran = cli.ok("assess", "--baseline", "known.json", "src", cwd=tree)
    assert "1 finding of the baseline is fixed: 'muster baseline update known.json src' drops it" in ran.err
    assert "Fixed since" in ran.out
    report, _ = states(tree, "--baseline", "known.json", "src")
    assert report["fixed"] == [{"rule": "R106", "path": "src/a.py", "function": "f", "name": None}]
    told = cli.ok("baseline", "update", "known.json", "src", "--json", cwd=tree).json
    after = json.loads((tree / "known.json").read_text())["entries"]
    assert told == {"schema": "muster.baseline-update/1", "path": "known.json", "entries": len(after), "fixed": 1}
    assert len(after) == len(before) - 1 and all(e in before for e in after)


def test_files_that_were_not_looked_at_stay(tree):
    (tree / "src/b.py").write_text(SOURCE)
    cli.ok("baseline", "update", "known.json", "src", cwd=tree)
    whole = (tree / "known.json").read_bytes()
    report, _ = states(tree, "--baseline", "known.json", "src/b.py")
    assert report["fixed"] == []
    cli.ok("baseline", "update", "known.json", "src/b.py", cwd=tree)
    assert (tree / "known.json").read_bytes() == whole
    os.remove(tree / "src/a.py")
    report, _ = states(tree, "--baseline", "known.json", "src")
    assert {f["path"] for f in report["fixed"]} == {"src/a.py"}


def test_files_are_known_however_they_are_named(tree):
    """Paths count from the baseline's folder, or the run's where that is not within it."""
    cli.ok("baseline", "update", "known.json", "./src", cwd=tree)
    assert {e["path"] for e in json.loads((tree / "known.json").read_text())["entries"]} == {"src/a.py"}
    here = [("known.json", path, tree) for path in ["src", "./src//", str(tree / "src"), f"../{tree.name}/src"]]
    within = [("../known.json", path, tree / "src") for path in [".", "a.py", "../src", str(tree / "src/a.py")]]
    for baseline, path, folder in here + within:
        report = cli.ok("assess", "--isolated", "--json", "--baseline", baseline, path, cwd=folder).json
        assert {f["state"] for f in report["findings"] if f["category"] == "BLOCKS"} == {"known"}, path
        assert report["fixed"] == []
    cli.ok("baseline", "update", "../known.json", ".", cwd=tree / "src")
    assert {e["path"] for e in json.loads((tree / "known.json").read_text())["entries"]} == {"src/a.py"}


def test_a_baseline_of_another_place_is_told(tree):
    cli.ok("baseline", "update", "known.json", "src", cwd=tree)
    (tree / "src").rename(tree / "other")
    ran = cli.ok("assess", "--isolated", "--baseline", "known.json", "other", cwd=tree)
    assert "nothing that was found is in the baseline known.json" in ran.err
    (tree / "other").rename(tree / "src")
    assert "nothing" not in cli.ok("assess", "--isolated", "--baseline", "known.json", "src", cwd=tree).err


def test_files_that_moved_take_their_entries_along(tree):
    (tree / "src/b.py").write_text(SOURCE.replace("def f", "def g").replace("f(u)", "g(u)"))
    cli.ok("baseline", "update", "known.json", "src", cwd=tree)
    (tree / "src/sub").mkdir()
    (tree / "src/b.py").rename(tree / "src/sub/c.py")
    report, found = states(tree, "--baseline", "known.json", "src")
    assert set(found.values()) == {"known"} and {g["state"] for g in report["gaps"]} == {"known"}
    assert report["fixed"] == []
    (tree / "src/d.py").write_text((tree / "src/sub/c.py").read_text())  # a copy is new
    report = cli.ok("assess", "--isolated", "--json", "--baseline", "known.json", "src", cwd=tree).json
    blocks = [f for f in report["findings"] if f["category"] == "BLOCKS"]
    assert sorted(f["state"] for f in blocks) == ["known"] * 4 + ["new"] * 2
    told = cli.ok("baseline", "update", "known.json", "src", "--json", cwd=tree).json
    assert told["fixed"] == 0
    assert {e["path"] for e in json.loads((tree / "known.json").read_text())["entries"]} == {
        "src/a.py", "src/d.py", "src/sub/c.py"
    }


def test_suppressed_findings_are_not_written(tree):
    (tree / "src/a.py").write_text(SOURCE.replace("u[::2] + 1", "u[::2] + 1  # muster: ignore[R106] host"))
    cli.ok("baseline", "update", "known.json", "src", cwd=tree)
    entries = cli.parse((tree / "known.json").read_text())["entries"]
    assert [e["rule"] for e in entries].count("R106") == 1


def test_what_is_known_is_still_there(tree):
    """Words of the report, and of --explain, about what does not count."""
    cli.ok("baseline", "update", "known.json", "src", cwd=tree)
    options = ["--isolated", "--baseline", "known.json", "src"]
    report = cli.ok("assess", "--json", *options, cwd=tree).json
    assert (report["verdict"], report["runs"]) == ("READY", False)
    assert report["reason"] == "READY: nothing has to change but what is not counted."
    text = " ".join(cli.ok("assess", "--format", "text", *options, cwd=tree).out.split())
    assert "As it stands it would not run: 2 places that are not counted raise." in text
    assert "None for this code" not in text.split("Gates")[0] and "Nothing else has to change first." in text
    explained = cli.ok("assess", "--explain", "src/a.py:5", *options, cwd=tree).out
    assert "counts in the verdict if it is new" in explained
    assert explained.endswith("R106 is not new: the baseline knows it. It does not count.\n")
    new = cli.ok("assess", "--explain", "src/a.py:5", "--isolated", "src", cwd=tree).out
    assert "counts in the verdict)" in new and "not new" not in new


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"schema": "muster.baseline/2", "entries": []}',
        '{"schema": "muster.baseline/1", "entries": {}}',
        '{"schema": "muster.baseline/1", "entries": [1]}',
        '{"schema": "muster.baseline/1", "entries": [{"path": "a", "rule": "R106", "function": null, "name": null,'
        ' "hash": "xyz", "ordinal": 1}]}',
        '{"schema": "muster.baseline/1", "entries": [{"path": "a", "rule": "R106", "function": null, "name": null,'
        ' "hash": "0123456789abcdef", "ordinal": 0}]}',
    ],
)
def test_damaged_baselines_are_refused(tree, text):
    (tree / "known.json").write_text(text)
    for command in (["assess", "--baseline", "known.json"], ["baseline", "update", "known.json"]):
        assert "known.json" in cli.fails(2, *command, "src", cwd=tree).err
    assert (tree / "known.json").read_text() == text


def test_usage(tree):
    cli.fails(2, "assess", "--baseline", "none.json", "src", cwd=tree)
    cli.fails(2, "baseline", "updat", "known.json", "src", cwd=tree)
    cli.fails(2, "baseline", "update", cwd=tree)
    cli.fails(2, "baseline", "update", "src/a.py", "src", cwd=tree)
    cli.fails(2, "baseline", "update", "known.json", "--rule", "R106", "src", cwd=tree)
    assert not (tree / "known.json").exists()


def test_sarif_tells_what_is_new_and_what_is_suppressed(tree):
    cli.ok("baseline", "update", "known.json", "src", cwd=tree)
    (tree / "src/a.py").write_text(SOURCE.replace("u[::3] + 1", "u[::3] + 1  # muster: ignore[R106] host"))
    out = cli.ok("assess", "--format", "sarif", "--baseline", "known.json", "src", cwd=tree).out
    results = json.loads(out)["runs"][0]["results"]
    told = {r["locations"][0]["physicalLocation"]["region"]["startLine"]: r for r in results if r["ruleId"] == "R106"}
    assert told[5]["baselineState"] == "unchanged" and "suppressions" not in told[5]
    assert told[6]["suppressions"] == [{"kind": "inSource", "justification": "host"}]


# ---- lines that changed ------------------------------------------------------------------------------


def git(tree, *arguments):
    names = ["-c", "user.name=n", "-c", "user.email=e@x", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *names, *arguments], cwd=tree, check=True, capture_output=True, env=cli.CLEAN)


@pytest.fixture
def repository(tree):
    git(tree, "init", "-q")
    git(tree, "add", ".")
    git(tree, "commit", "-qm", "first")
    return tree


def test_only_changed_lines_count(repository):
    source = repository / "src/a.py"
    source.write_text("import os\n" + SOURCE.replace("u[::3] + 1", "u[::3] + 2"))
    for path in ("src", ".", "./src/", "src/a.py", str(source), "src/../src"):
        report, found = states(repository, "--diff-base", "HEAD", path)
        assert found == {("R106", 6): "unchanged", ("R106", 7): "new"}, path
        assert [g["state"] for g in report["gaps"]] == ["unchanged"]
    _, found = states(repository / "src", "--diff-base", "HEAD", "../src")
    assert sorted(found.values()) == ["new", "unchanged"]


def test_untracked_files_are_new(repository):
    (repository / "src/b c.py").write_text(SOURCE)
    (repository / "src/ü\n.py").write_text(SOURCE)
    report, _ = states(repository, "--diff-base", "HEAD", "src")
    of_file = {f["path"]: f["state"] for f in report["findings"] if f["id"] == "R106"}
    assert of_file == {"src/a.py": "unchanged", "src/b c.py": "new", "src/ü\n.py": "new"}


def test_odd_names_and_texts_that_look_like_a_diff(repository):
    odd = repository / 'src/"q"\t\\ü.py'
    odd.write_text(SOURCE)
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "second")
    git(repository, "config", "diff.noprefix", "true")
    git(repository, "config", "color.ui", "always")
    git(repository, "config", "diff.orderFile", "/no/such/file")
    odd.write_text('x = """\n++ b/src/a.py\n@@ -1,1 +1,99 @@\n"""\n' + SOURCE.replace("u[::2]", "u[::4]"))
    report, _ = states(repository, "--diff-base", "HEAD", "src")
    of_line = {(f["path"], f["line"]): f["state"] for f in report["findings"] if f["id"] == "R106"}
    assert of_line == {
        ("src/a.py", 5): "unchanged",
        ("src/a.py", 6): "unchanged",
        ('src/"q"\t\\ü.py', 9): "new",
        ('src/"q"\t\\ü.py', 10): "unchanged",
    }


def test_revisions(repository):
    git(repository, "tag", "v1")
    for revision in ("HEAD", "v1", "HEAD^{commit}"):
        assert set(states(repository, "--diff-base", revision, "src")[1].values()) == {"unchanged"}
    for wrong in ("none", "-x", "--output=x", "HEAD~5", "HEAD:src", ""):
        assert cli.fails(2, "assess", f"--diff-base={wrong}", "src", cwd=repository).err
    assert not (repository / "x").exists()


def test_only_in_a_repository(tree, tmp_path):
    assert "repository" in cli.fails(2, "assess", "--diff-base", "HEAD", "src", cwd=tree).err
    without = dict(cli.CLEAN, PATH="/nonexistent")
    assert "PATH" in cli.fails(2, "assess", "--diff-base", "HEAD", "src", cwd=tree, env=without).err
    assert "standard input" in cli.fails(2, "assess", "--diff-base", "HEAD", "-", cwd=tree).err


def test_nothing_that_the_repository_says_is_run(repository):
    """External diffs, text conversions and monitors of a repository's configuration stay off."""
    for key in ("diff.external", "core.fsmonitor", "diff.x.textconv", "core.pager"):
        git(repository, "config", key, f"touch {repository}/ran;")
    (repository / ".gitattributes").write_text("*.py diff=x\n")
    (repository / "src/a.py").write_text(SOURCE + "\n\nx = 1\n")
    states(repository, "--diff-base", "HEAD", "src")
    assert not (repository / "ran").exists()

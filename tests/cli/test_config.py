# SPDX-License-Identifier: Apache-2.0
"""Options of `muster assess` in pyproject.toml and muster.toml."""

import re
import shutil
import subprocess

import pytest
from support import cli, env

SOURCE = "import numpy as np\nu = np.zeros((4, 4))\nv = u[::2] + 1\n"


@pytest.fixture
def tree(tmp_path):
    """A repository with a source two folders down."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "src/sub").mkdir(parents=True)
    (tmp_path / "src/sub/a.py").write_text(SOURCE)
    return tmp_path


def settings(tree, *arguments):
    """{name: (value, source)} of what somebody said."""
    told = cli.ok("config", "--json", *arguments, cwd=tree).json
    sources = {o["name"]: (o["value"], o["path"] and f"{o['path']}:{o['line']}") for o in told["options"]}
    return {name: pair for name, pair in sources.items() if pair[0] is not None}


# ---- where options are looked for -------------------------------------------------------------------


def test_the_nearest_file_wins(tree):
    (tree / "pyproject.toml").write_text("[tool.muster.assess]\ngpus = 1\n")
    assert settings(tree, "src") == {"gpus": ("1", "pyproject.toml:2")}
    (tree / "src/pyproject.toml").write_text("[tool.muster.assess]\ngpus = 2\n")
    assert settings(tree, "src") == {"gpus": ("2", "src/pyproject.toml:2")}
    (tree / "src/muster.toml").write_text("[assess]\ngpus = 3\n")
    assert settings(tree, "src") == {"gpus": ("3", "src/muster.toml:2")}
    (tree / "src/sub/muster.toml").write_text("gpus = 4\n")
    assert settings(tree, "src/sub/a.py") == {"gpus": ("4", "src/sub/muster.toml:1")}
    assert settings(tree, "src") == {"gpus": ("3", "src/muster.toml:2")}
    assert settings(tree) == {"gpus": ("1", "pyproject.toml:2")}


def test_from_the_current_folder_upwards(tree):
    (tree / "muster.toml").write_text("nodes = 2\n")
    assert settings(tree / "src/sub", "a.py") == {"nodes": ("2", "../../muster.toml:1")}
    assert settings(tree / "src/sub", "-") == {"nodes": ("2", "../../muster.toml:1")}
    assert settings(tree / "src/sub", str(tree / "src/sub/a.py")) == {
        "nodes": ("2", f"{tree}/muster.toml:1")
    }


def test_a_repository_ends_the_search(tree):
    (tree / "src/.git").mkdir()
    (tree / "pyproject.toml").write_text("[tool.muster.assess]\ngpus = 1\n")
    assert settings(tree, "src/sub") == {}


def test_files_of_others_are_passed_over(tree):
    (tree / "src/pyproject.toml").write_text("[tool.black]\nline-length = 88\n")
    (tree / "src/sub/pyproject.toml").write_text("this is no TOML, and none of our business")
    (tree / "pyproject.toml").write_text("[tool.muster-other]\nx = 1\n[tool]\nmuster = {assess = {gpus = 7}}\n")
    assert settings(tree, "src/sub") == {"gpus": ("7", "pyproject.toml:4")}


def test_config_and_isolated(tree):
    (tree / "muster.toml").write_text("gpus = 1\n")
    (tree / "other.toml").write_text("gpus = 2\n")
    assert settings(tree, "--config", "other.toml", "src") == {"gpus": ("2", "other.toml:1")}
    assert settings(tree, "--isolated", "src") == {}
    cli.fails(2, "config", "--isolated", "--config", "other.toml", cwd=tree)
    assert "none.toml" in cli.fails(2, "assess", "--config", "none.toml", "src", cwd=tree).err


# ---- what they may say -------------------------------------------------------------------------------


def test_all_kinds_of_values(tree):
    (tree / "muster.toml").write_text(
        "# options\n"
        "elements = '16384x16384'\n"
        'gpu_model = "H\\u0031\\U00000030\\x30"\n'.replace("\\x30", "0")
        + 'os = """\nlinux"""\nfbmem = "80G"  # of one\n'
        'ignore = [\n  "R001",  # works\n  \'R002\',\n]\nfail-on = "significant"\n'
        "gpus = 1_000\nunlisted = true\nno-ignore = false\n"
    )
    got = {name: value for name, (value, _) in settings(tree, "src").items()}
    assert got == {
        "elements": "16384x16384",
        "gpu-model": "H100",
        "os": "linux",
        "fbmem": "80G",
        "ignore": "R001,R002",
        "fail-on": "significant",
        "gpus": "1000",
        "unlisted": "true",
        "no-ignore": "false",
    }


def test_the_command_line_wins(tree):
    (tree / "muster.toml").write_text('gpus = 8\ngpu-model = "H100"\nformat = "text"\nfail-on = "light"\n')
    assert settings(tree, "--gpus", "2", "src")["gpus"] == ("2", None)
    assert "gpus" not in settings(tree, "--cpu-only", "src")
    report = cli.run("assess", "--json", "src", cwd=tree)
    assert report.status == 1 and report.json["context"]["gpus"] == 8
    assert cli.ok("assess", "--explain", "a.py:3", "src", cwd=tree).out


def test_reports_tell_what_was_configured(tree):
    (tree / "muster.toml").write_text("gpus = 8\n")
    out = cli.ok("assess", "src", "--nodes", "2", cwd=tree).out
    assert "| GPUs | 8 on each node | configured |" in out and "| nodes | 2 | given |" in out
    out = cli.ok("assess", "src", "--nodes", "2", "--format", "html", cwd=tree).out
    assert "8 on each node</td><td>configured<" in out and "2</td><td>given<" in out
    out = cli.ok("assess", "src", "--nodes", "2", "--format", "agent", cwd=tree).out
    assert "GPUs: 8 on each node (configured);" in out and "nodes: 2;" in out
    table = {r["item"]: r for r in cli.ok("assess", "--json", "src", cwd=tree).json["context"]["table"]}
    assert table["GPUs"]["configured"] is True and "configured" not in table["nodes"]


def test_paths_are_relative_to_the_file(tree):
    (tree / "muster.toml").write_text('baseline = "src/known.json"\n')
    cli.ok("baseline", "update", "src/known.json", "src", cwd=tree)
    (tree / "elsewhere").mkdir()
    (tree / "elsewhere/b.py").write_text(SOURCE)
    table = cli.ok("assess", "../elsewhere", cwd=tree / "src").out
    assert "| baseline | ../src/known.json | configured |" in table


@pytest.mark.parametrize(
    "text, line, words",
    [
        ("gpuz = 1\n", 1, "did you mean 'gpus'"),
        ("[assess]\n\ngpu-modle = 'H100'\n", 3, "did you mean 'gpu-model'"),
        ("gpus = 0\n", 1, "gpus: '0' is too small"),
        ("gpus = true\n", 1, "needs a value"),
        ("gpus = 1.5\n", 1, "whole number"),
        ("gpus = 0x10\n", 1, "decimal"),
        ("gpus = ['1']\n", 1, "no list"),
        ("gpus = 1\ngpus = 2\n", 2, "twice"),
        ("gpu-model = 'a'\ngpu_model = 'b'\n", 2, "twice"),
        ("unlisted = 1\n", 1, "true or false"),
        ("unlisted = 'yes'\n", 1, "true or false"),
        ("pattern = 'stencl'\n", 1, "did you mean 'stencil'"),
        ("ignore = ['R104', 'R1O5']\n", 1, "did you mean 'R105'"),
        ("ignore = ['R104', 5]\n", 1, "neither"),
        ("output = 'x.md'\n", 1, "no key 'output'"),
        ("diff-base = 'HEAD'\n", 1, "no key 'diff-base'"),
        ("[other]\n", 1, "no key 'other'"),
        ("[[assess]]\ngpus = 1\n", 1, "no key"),
        ("gpus = \n", 1, "no TOML"),
        ("gpus = 1\nnodes 2\n", 2, "no TOML"),
        ('os = "\\q"\n', 1, ""),
        ('os = "\\ud800"\n', 1, "escape"),
        ("assess = {gpus = {x = 1}}\n", 1, "no key"),
    ],
)
def test_mistakes_name_file_and_line(tree, text, line, words):
    (tree / "muster.toml").write_text(text)
    ran = cli.fails(2, "assess", "src", cwd=tree)
    assert re.search(rf"muster\.toml:(?: line )?{line}: ", ran.err), ran.err
    assert words in ran.err
    assert cli.fails(2, "assess", "src", "--json", cwd=tree).errors[0]["schema"]


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * 500_000,
        "x = " + "[" * 100_000 + "]" * 100_000,
        "x = " + "{a=" * 100_000,
        "x = " + "{a=" * 1000 + "1" + "}" * 1000,
        "[" + "a." * 400_000 + "b]\n",
        ".".join("k" * 200_000) + " = 1\n",
        "[" + "a" * 500_000 + "]\n" + "b=1\n" * 100_000,
        'x = "' + "\\" * 900_000,
        'x = """' + '"' * 900_000,
        "x = 1\n" * 150_000,
        "# " + "y" * (1 << 20),
        "\0" * 1000,
        "\ufeffgpus = 1\n",
    ],
    ids=range(13),
)
def test_hostile_files_are_refused(tree, text):
    """With a message, soon, and within the memory that is allowed."""
    (tree / "muster.toml").write_text(text)
    ran = cli.run("assess", "src", cwd=tree, timeout=60)
    assert ran.status in (0, 2) and (ran.status == 0 or "muster.toml" in ran.err), ran.err[:500]


def test_nothing_is_started(tree):
    """Assessing starts no other program, whatever a file of options says."""
    if shutil.which("strace") is None or cli.sanitized():
        pytest.skip("no strace")
    (tree / "muster.toml").write_text("gpus = 2\nbaseline = 'known.json'\n")
    cli.ok("baseline", "update", "known.json", "src", cwd=tree)
    log = tree / "log"
    command = ["strace", "-f", "-o", log, "-e", "trace=execve,execveat,fork,vfork,socket,connect", env.PROGRAM]
    ran = subprocess.run([*command, "assess", "src"], cwd=tree, capture_output=True, env=cli.CLEAN)
    if ran.returncode != 0 and b"ptrace" in ran.stderr.lower():
        pytest.skip("strace may not trace here")
    calls = re.findall(r"(\w+)\(", log.read_text())
    assert ran.returncode == 0 and calls == ["execve"]


def test_without_a_file_reports_are_what_they_were(tree):
    """A file that says what holds anyway changes one word a line, and no file changes nothing."""
    bare = cli.ok("assess", "src", cwd=tree).out
    assert bare == cli.ok("assess", "--isolated", "src", cwd=tree).out
    (tree / "pyproject.toml").write_text("[project]\nname = 'muster'\n")
    assert bare == cli.ok("assess", "src", cwd=tree).out
    assert "configured" not in bare and "Suppress" not in bare

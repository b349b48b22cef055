# SPDX-License-Identifier: Apache-2.0
"""The hook for pre-commit and the action for GitHub: their keys are those that are documented, and they run."""

import json
import os
import re
import subprocess

import pytest
import yaml
from support import cli, env

#: pre-commit.com, "Creating new hooks".
HOOK_KEYS = set(
    """id name entry language files exclude types types_or exclude_types always_run fail_fast verbose pass_filenames
    require_serial description language_version minimum_pre_commit_version args stages additional_dependencies
    log_file""".split()
)
#: "Metadata syntax reference" of GitHub Actions, for composite actions.
ACTION_KEYS = {"name", "author", "description", "inputs", "outputs", "runs", "branding"}
INPUT_KEYS = {"description", "required", "default", "deprecationMessage"}
STEP_KEYS = {"run", "shell", "if", "name", "id", "env", "working-directory", "uses", "with", "continue-on-error"}

HOOKS = yaml.safe_load((env.SOURCE / ".pre-commit-hooks.yaml").read_text())
ACTION = yaml.safe_load((env.SOURCE / "action.yml").read_text())
SOURCE = "import numpy as np\nu = np.zeros((4096, 4096))\nv = u[::2] + 1\n"


def options_of_assess():
    return set(re.findall(r"--([a-z-]+)", cli.ok("assess", "--help").out))


def test_the_hook():
    [hook] = HOOKS
    assert set(hook) <= HOOK_KEYS and {"id", "name", "entry", "language"} <= set(hook)
    assert (hook["id"], hook["language"], hook["types_or"]) == ("muster-assess", "system", ["python", "jupyter"])
    program, command, *options = hook["entry"].split()
    assert (program, command) == ("muster", "assess") and "--fail-on" in options
    assert {o[2:] for o in options if o.startswith("--")} <= options_of_assess()


@pytest.mark.parametrize("source, status", [(SOURCE, 1), (SOURCE.replace("[::2]", ""), 0)])
def test_the_hook_runs(tmp_path, source, status):
    (tmp_path / "a b.py").write_text(source)
    arguments = HOOKS[0]["entry"].split()[1:]
    assert cli.run(*arguments, "a b.py", cwd=tmp_path).status == status


def test_the_action():
    assert set(ACTION) <= ACTION_KEYS and {"name", "description", "runs"} <= set(ACTION)
    assert all(set(i) <= INPUT_KEYS and "description" in i for i in ACTION["inputs"].values())
    runs = ACTION["runs"]
    assert set(runs) == {"using", "steps"} and runs["using"] == "composite"
    for step in runs["steps"]:
        assert set(step) <= STEP_KEYS and ("run" in step) != ("uses" in step)
        assert "run" not in step or step["shell"] == "bash"
        assert "uses" not in step or re.fullmatch(r"[\w./-]+@v\d+", step["uses"])
        assert "${{" not in step.get("run", "")  # what a caller says is no part of a script
    text = (env.SOURCE / "action.yml").read_text()
    assert set(re.findall(r"inputs\.([\w-]+)", text)) == set(ACTION["inputs"])
    used = set(re.findall(r"--([a-z-]+)=", text))
    assert used <= options_of_assess()


def run_action(tmp_path, **inputs):
    """The step that assesses, as a runner would start it."""
    step = next(s for s in ACTION["runs"]["steps"] if s.get("id") == "assess")
    (tmp_path / "bin").mkdir(exist_ok=True)
    if not (tmp_path / "bin/muster").exists():
        os.symlink(env.PROGRAM, tmp_path / "bin/muster")
    values = {name: spec["default"] for name, spec in ACTION["inputs"].items()} | inputs
    variables = {k: values[re.search(r"inputs\.([\w-]+)", v)[1]] for k, v in step["env"].items()}
    variables |= cli.CLEAN | {"GITHUB_OUTPUT": str(tmp_path / "outputs")}
    variables["PATH"] = f"{tmp_path}/bin:{variables['PATH']}"
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]]
    return subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True)


def test_the_action_runs(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").write_text(SOURCE)
    ran = run_action(tmp_path, paths="src")
    assert ran.returncode == 0 and "src/a.py" in ran.stdout, ran.stderr
    ran = run_action(tmp_path, paths="src", sarif="out.sarif", **{"fail-on": "light"})
    assert ran.returncode == 1 and (tmp_path / "outputs").read_text().splitlines()[-1] == "status=1"
    assert json.loads((tmp_path / "out.sarif").read_text())["version"] == "2.1.0"
    cli.ok("baseline", "update", "known.json", "src", cwd=tmp_path)
    assert run_action(tmp_path, paths="src", baseline="known.json", **{"fail-on": "light"}).returncode == 0
    assert run_action(tmp_path, paths="src; touch x", options="$(touch x)").returncode == 2
    assert not (tmp_path / "x").exists()


def test_the_action_takes_lists_of_several_lines(tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.py").write_text(SOURCE)
    ran = run_action(tmp_path, paths="a.py b.py\nc.py\n", options="--manifest=carried\n--rule R106\n")
    assert ran.returncode == 0 and all(f"{name}.py" in ran.stdout for name in ("a", "b", "c")), ran.stderr


def test_the_document_names_what_there_is():
    text = (env.SOURCE / "docs/ci.md").read_text()
    assert all(f"`{name}`" in text for name in ACTION["inputs"])
    assert HOOKS[0]["id"] in text
    for block in re.findall(r"```yaml\n(.*?)```", text, re.S):
        assert yaml.safe_load(block)

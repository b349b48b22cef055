# SPDX-License-Identifier: Apache-2.0
"""Completion is tried in the shells themselves, manual pages by mandoc."""

import re
import shutil
import subprocess

import pytest
from support import cli, env

COMMANDS = re.findall(r"^COMMAND\((\w+)", (env.SOURCE / "src/cli/commands.def").read_text(), re.M)
BASH = """
source {script}
COMP_WORDS=({words}) COMP_CWORD={index}
_muster 2>/dev/null
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def script(tmp_path):
    def make(shell):
        path = tmp_path / shell
        path.write_text(cli.ok("completion", shell).out)
        return path

    return make


def options_of(command):
    """Long options, as the help lists them."""
    return set(re.findall(r"^ +(?:-\w, )?(--[\w-]+)", cli.ok(command, "--help").out, re.M))


@pytest.mark.parametrize("command", COMMANDS)
def test_bash_completes_all_options(script, command):
    text = BASH.format(script=script("bash"), words=f"muster {command} --", index=2)
    found = {word.rstrip("=") for word in run("bash", "-c", text).split()}
    assert found == options_of(command)


def test_bash_completes_commands(script):
    text = BASH.format(script=script("bash"), words="muster ''", index=1)
    assert run("bash", "-c", text).split() == [*COMMANDS, "help", "--version"]
    text = BASH.format(script=script("bash"), words="muster ver", index=1)
    assert run("bash", "-c", text).split() == ["verify"]


@pytest.mark.skipif(not shutil.which("fish"), reason="there is no fish")
@pytest.mark.parametrize("command", COMMANDS)
def test_fish_completes_all_options(script, command):
    path = script("fish")
    lines = run("fish", "-c", f"source {path}; complete -C 'muster {command} --'").splitlines()
    assert {line.split("\t")[0].rstrip("=") for line in lines} == options_of(command)


@pytest.mark.skipif(not shutil.which("zsh"), reason="there is no zsh")
def test_zsh_understands_its_script(script):
    path = script("zsh")
    run("zsh", "-n", path)
    text = path.read_text()
    for command in COMMANDS:
        part = re.search(rf"^    {command}\) _arguments(.*?);;$", text, re.M | re.S)[1]
        assert set(re.findall(r"^      '(--[\w-]+)", part, re.M)) == options_of(command)


@pytest.mark.skipif(not shutil.which("mandoc"), reason="there is no mandoc")
@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_manual_pages(command):
    page = cli.ok("man", *([command] if command else [])).out
    complaints = subprocess.run(["mandoc", "-T", "lint"], input=page, capture_output=True, text=True).stdout
    serious = [c for c in complaints.splitlines() if "STYLE" not in c and "missing date" not in c]
    assert not serious
    shown = run("mandoc", "-T", "ascii", text=page)
    plain = re.sub(".\b", "", shown)  # bold and underlined letters are overstruck
    names = set(re.findall(r"^ +(?:-\w, )?(--[\w-]+)", plain, re.M))
    assert names == (options_of(command) if command else set())
    if command is None:
        assert set(re.findall(r"muster-(\w+)\(1\)", plain)) == set(COMMANDS)


def test_what_is_not_there():
    done = cli.run("completion", "tcsh")
    assert done.status == 2 and "no completion for 'tcsh': bash, zsh or fish" in done.err
    done = cli.run("man", "laod")
    assert done.status == 2 and "no command 'laod'" in done.err

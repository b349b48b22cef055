# SPDX-License-Identifier: Apache-2.0
"""Which files are looked at: random trees with random .gitignore files, where git knows the answer."""

import os
import random
import shutil
import subprocess

import pytest
from support import env

DUMP = env.BUILD / "tests/support/dump_walk"
TREES = 80

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

#: git as it comes, without the settings of whoever runs this.
GIT = {
    "PATH": os.environ.get("PATH", ""),
    "HOME": "/nonexistent",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
}

FOLDERS = ["a", "b", "ab", "aa", "A", "a.b", "a b", "a ", "[a]", "é", "a\\b"]
FILES = ["a.py", "b.py", "ab.py", "abc.py", "B.py", "a b.py", "a .py", "#a.py", "!a.py", "[a].py"]
FILES += ["*.py", "?.py", "a-b.py", "a]b.py", "é.py", "1.py", "\\a.py", "a.txt", "a^.py", "py"]
PIECES = ["a", "b", "ab", "*", "*", "**", "?", ".py", ".py", "/", "/", "/", "a/", "**/", "/**", "é"]
PIECES += ["[ab]", "[!a]", "[^ab]", "[a-c]", "[]a]", "[!]a]", "[[:alpha:]]", "[[:digit:][:upper:]]"]
PIECES += ["[", "]", "[a", "[[:foo:]]", "[[:a]", "[\\a]", "[a-]", "[-a]", "[\\]-b]", "[/]", "[*]"]
PIECES += ["\\", "\\a", "\\*", "\\?", "\\[", "\\ ", "\\#", "\\/", " ", "!", "#", "***", "c", "\t"]
ENDS = ["\n", "\n", "\n", "\r\n", " \n", "  \n", "\\ \n", "/\n", "\\\n"]


def pattern(chance):
    """Mostly near what is there, so that it matters."""
    kind = chance.random()
    if kind < 0.5:
        return "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 5)))
    parts = [chance.choice(["a", "b", "ab", "*", "**", "a*", "*b", "?", "[ab]"])]
    parts *= chance.random() < 0.9
    parts += [chance.choice(["a", "*", "**", "b"])] * chance.randint(0, 2)
    parts += [chance.choice(["*.py", "a.py", "b.py", "a*", "**", "?.py", "[a-c].py", "", "*b.py"])]
    return chance.choice(["", "", "", "!", "/", "!/"]) + "/".join(parts)


def patterns(chance):
    lines = [pattern(chance) + chance.choice(ENDS) for _ in range(chance.randint(0, 6))]
    text = chance.choice(["", "", "", "\ufeff", "# *\n", "\n"]) + "".join(lines)
    return text if chance.random() < 0.8 else text.rstrip("\n")


def fill(folder, chance, depth=0):
    if depth == 0 or chance.random() < 0.3:
        (folder / ".gitignore").write_bytes(patterns(chance).encode())
    for name in chance.sample(FILES, chance.randint(2, 9)):
        (folder / name).write_text("")
    for name in chance.sample(FOLDERS, chance.randint(1, 3)) if depth < 3 else []:
        (folder / name).mkdir()
        fill(folder / name, chance, depth + 1)


def as_git_sees(root, *paths):
    command = ["git", "-C", root, "ls-files", "-o", "-z", "--exclude-standard", "--", *paths]
    out = subprocess.run(command, env=GIT, check=True, capture_output=True).stdout
    return sorted(name for name in out.split(b"\0") if name.endswith(b".py"))


def as_found(folder, *arguments):
    run = subprocess.run([DUMP, *arguments], cwd=folder, capture_output=True)
    assert run.returncode == 0 and run.stderr == b"", run.stderr.decode()
    return run.stdout.splitlines()


@pytest.fixture
def repository(tmp_path):
    root = tmp_path / "repository"
    root.mkdir()
    subprocess.run(["git", "init", "-q", root], env=GIT, check=True)
    return root


def told(root):
    """The patterns of a tree, for whoever has to find out what went wrong."""
    files = sorted(root.rglob(".gitignore"))
    return "\n".join(f"{file.relative_to(root)}: {file.read_bytes()!r}" for file in files)


def test_random_trees_as_git_sees_them(repository):
    chance = random.Random(env.SEED)
    seen = hidden = 0
    for number in range(TREES):
        fill(repository, chance)
        expected = as_git_sees(repository)
        assert as_found(repository, ".") == expected, f"tree {number}\n{told(repository)}"
        seen += len(expected)
        hidden += sum(1 for _ in repository.rglob("*.py")) - len(expected)
        for path in repository.iterdir():
            if path.name != ".git":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert seen > TREES and hidden > TREES, "the trees say nothing"


def test_a_subfolder_stands_under_the_patterns_around_it(repository):
    chance = random.Random(env.SEED + 1)
    tried = 0
    for _ in range(TREES // 4):
        fill(repository, chance)
        for name in FOLDERS:
            # A folder that is ignored itself has been named all the same.
            inside = [f for f in as_git_sees(repository) if f.startswith(os.fsencode(name) + b"/")]
            if inside:
                assert as_found(repository, name) == inside, told(repository)
                tried += 1
        for path in repository.iterdir():
            if path.name != ".git":
                shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert tried > TREES // 4


def test_without_ignoring_everything_is_found(repository):
    fill(repository, random.Random(env.SEED + 2))
    every = sorted(os.fsencode(p.relative_to(repository)) for p in repository.rglob("*.py"))
    assert as_found(repository, "--no-ignore", ".") == every

# SPDX-License-Identifier: Apache-2.0
"""Programs that look as if a suggestion were safe, and are not: their safe patches change nothing.

Each `#### name` in `traps/` begins a program of its own, with a `main`. What it gives back is that
of NumPy, before the patch and after it.
"""

import pathlib
import re
import subprocess
import warnings

import numpy as np
import pytest
from support import cli

TRAPS = sorted((pathlib.Path(__file__).parent / "traps").glob("*.txt"))


def programs(path):
    """{name: text}"""
    parts = re.split(r"^#### (\w+)\n", path.read_text(), flags=re.M)[1:]
    texts = {name: "import numpy as np\n" + text for name, text in zip(parts[::2], parts[1::2], strict=True)}
    assert len(texts) == len(parts) // 2
    return texts


def plain(value):
    """What can be compared: the type of an array, too, and that a number is one of NumPy's."""
    if isinstance(value, np.ndarray | np.generic):
        return type(value).__name__, str(value.dtype), value.shape, repr(value.tolist())
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return [(key, plain(one)) for key, one in value.items()]
    return repr(value)


def outcome(text, name):
    with np.errstate(all="warn"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        space = {"__name__": name}
        exec(compile(text, name, "exec"), space)
        return plain(space["main"]())


@pytest.mark.parametrize("path", TRAPS, ids=lambda path: path.stem)
def test_safe_patches_fall_into_no_trap(tmp_path, path):
    texts = programs(path)
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    ran = cli.ok("assess", "--isolated", "--manifest=carried", "--format=patch", ".", cwd=tmp_path)
    if ran.out:
        command = ["git", "apply", "--whitespace=nowarn", "-"]
        environment = cli.CLEAN | {"GIT_CEILING_DIRECTORIES": str(tmp_path.parent)}
        subprocess.run(command, cwd=tmp_path, input=ran.out, env=environment, text=True, check=True)
    for name, text in texts.items():
        patched = (tmp_path / f"{name}.py").read_text()
        if patched != text:
            assert outcome(patched, name) == outcome(text, name), name


@pytest.mark.parametrize("path", TRAPS, ids=lambda path: path.stem)
def test_traps_run(path):
    for name, text in programs(path).items():
        outcome(text, name)

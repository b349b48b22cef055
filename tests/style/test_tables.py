# SPDX-License-Identifier: Apache-2.0
"""Tables that are searched by halves are in the order of their names, bytewise, each name once; what
they say of signatures is what NumPy says.
"""

import inspect
import re

import numpy as np
import pytest
from support import env

TABLES = {
    "src/pysource/api.def": r'^API\("([^"]+)"',
    "src/pysource/builtins.c": r'\{"([^"]+)", \w+, MST_V_',
}


@pytest.mark.parametrize("path", TABLES)
def test_table_is_in_order(path):
    text = (env.SOURCE / path).read_text()
    names = [name.encode() for name in re.findall(TABLES[path], text, re.MULTILINE)]
    assert len(names) > 50
    assert names == sorted(set(names))


def out_of(name):
    """Position of `out` in the function's arguments, -1: there is none; None: NumPy does not say."""
    found = np
    for part in name.split(".")[1:]:
        found = getattr(found, part, None)
        if found is np.random.Generator:
            found = np.random.default_rng()
    if isinstance(found, np.ufunc):
        return found.nin
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):
        return None
    named = [i for i, p in enumerate(parameters) if p.name == "out" and p.kind == p.POSITIONAL_OR_KEYWORD]
    return named[0] if named else -1


def test_positions_of_out():
    text = (env.SOURCE / "src/pysource/api.def").read_text()
    rows = re.findall(r'^API\("(numpy\.[^"]+)", .*, (-?\d+)\)$', text, re.MULTILINE)
    want = {name: out_of(name) for name, _ in rows if not isinstance(getattr(np, name[6:], None), type)}
    got = {name: int(at) for name, at in rows if want.get(name) is not None}
    assert len(got) > 300
    assert got == {name: want[name] for name in got}

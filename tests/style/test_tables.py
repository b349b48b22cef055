# SPDX-License-Identifier: Apache-2.0
"""Tables that are searched by halves are in the order of their names, bytewise, each name once."""

import re

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

# SPDX-License-Identifier: Apache-2.0
"""The table of support/format_cases.py into cuPyNumeric, in one process."""

import os
import subprocess

import cupynumeric as cn
import numpy as np
import pytest
from support import env, format_cases, load_cases

import muster

pytestmark = pytest.mark.filterwarnings("ignore::muster.DatasetWarning")


@pytest.fixture(scope="module")
def datasets(tmp_path_factory):
    """All of them: the libraries of the formats are not loaded beside Legate."""
    top = tmp_path_factory.mktemp("formats")
    tools = {k: v for k, v in os.environ.items() if k != "LD_LIBRARY_PATH"}
    tools["PYTHONPATH"] = str(env.SOURCE / "tests")
    command = [env.SOURCE / ".venv/bin/python", "-m", "support.format_cases", top]
    subprocess.run(command, check=True, env=tools)
    return top


@pytest.mark.parametrize("case", format_cases.CASES, ids=lambda case: case.name)
def test_what_arrives(datasets, case):
    number = format_cases.CASES.index(case)
    expected = np.load(datasets / f"{number}.npy")
    assert load_cases.same(case.load(muster, cn, datasets / str(number)), expected)

# SPDX-License-Identifier: Apache-2.0
"""
The long tests: `make soak`. MUSTER_SOAK_KILLS, MUSTER_SOAK_EXAMPLES and MUSTER_SEED change how
much, and what.
"""

import os
import pathlib
import sys

import pytest
from support import cli, env, kills, memory
from support.memory import MIB

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "python"))

import test_random_datasets as random_datasets  # noqa: E402

pytestmark = pytest.mark.skipif(not os.environ.get("MUSTER_SOAK"), reason="make soak runs these")

SHARE = sum(count for _, count in random_datasets.PROPERTIES)


@pytest.mark.parametrize(
    "function, count", random_datasets.PROPERTIES, ids=lambda p: getattr(p, "__name__", p)
)
def test_many_random_datasets(function, count):
    random_datasets.run(function, env.SOAK_EXAMPLES * count // SHARE, seed=env.SEED)


def test_writes_killed_at_many_moments(tmp_path):
    print(kills.kill_writes(tmp_path, env.SOAK_KILLS))


def test_loads_killed_at_many_moments(tmp_path):
    print(kills.kill_loads(tmp_path, env.SOAK_KILLS))


@pytest.mark.skipif(cli.sanitized(), reason="sanitizers keep memory of their own")
def test_four_gigabytes_in_little_memory(tmp_path):
    memory.check(tmp_path, 4096 * MIB, 1024 * MIB)

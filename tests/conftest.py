# SPDX-License-Identifier: Apache-2.0
"""Settings of all tests written in Python."""

import os
import sys

import hypothesis
import pytest

sys.path.insert(0, os.path.dirname(__file__))

from support import cli, env  # noqa: E402

# Programs that are assessed, among them tests of theirs.
collect_ignore = ["rules/cases", "rules/programs", "doctor/programs"]

# The same examples on every run: a failure must be there again when somebody looks. The soak tests
# draw new ones, from a seed that is printed. Sanitized programs get the first of them: they are asked
# for memory errors, not for the values that the others check.
hypothesis.settings.register_profile(
    "muster",
    max_examples=25 if cli.sanitized() else 100,
    derandomize=True,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=list(hypothesis.HealthCheck),
)
hypothesis.settings.load_profile("muster")


def pytest_report_header():
    return f"muster: program {env.PROGRAM}, library {env.LIBRARY}, seed {env.SEED}"


@pytest.fixture
def folder(tmp_path):
    """An empty folder for one dataset."""
    path = tmp_path / "data"
    path.mkdir()
    return path

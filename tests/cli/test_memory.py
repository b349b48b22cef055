# SPDX-License-Identifier: Apache-2.0
"""Memory does not grow with the data."""

import pytest
from support import cli, memory, reference
from support.memory import MIB

pytestmark = pytest.mark.skipif(cli.sanitized(), reason="sanitizers keep memory of their own")


def test_no_more_than_64_mib_a_thread(tmp_path):
    memory.check(tmp_path, 512 * MIB, 288 * MIB)


def test_the_array_and_64_mib_a_thread(tmp_path):
    path = memory.sparse(tmp_path / "x.npy", (2**21, 16))
    seen = memory.peak("load", path, "-j2", "--quiet")
    assert 128 * MIB <= seen <= (128 + 128) * MIB + memory.BASE


def test_a_fortran_file_takes_one_row(tmp_path):
    """Of short rows, so hardly anything."""
    path = memory.sparse(tmp_path / "x.npy", (2**21, 16), fortran=True)
    assert memory.peak("load", path, "-j2", "--to=null", "--quiet") <= 128 * MIB + memory.BASE


def test_inspect_needs_little(tmp_path):
    for i in range(300):
        memory.sparse(tmp_path / f"s{i}.npy", (2**18, 16))
    assert memory.peak("inspect", tmp_path, "--quiet") <= 32 * MIB


@pytest.mark.parametrize(
    "header",
    [
        "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,)}" % 2**40,
        "{" * 60000,
        "{'descr': '" + "<" * 60000,
        "{'shape': (" + "1," * 30000,
    ],
    ids=["large shape", "braces", "long text", "many extents"],
)
def test_hostile_headers_need_little(tmp_path, header):
    path = reference.put(tmp_path, "x.npy", reference.npy(header, bytes(100)))
    assert memory.peak("inspect", path, status=1) <= 32 * MIB

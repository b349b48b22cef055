# SPDX-License-Identifier: Apache-2.0
"""Many shards: right, whatever the time (bench measures that)."""

import os
import pathlib
import resource
import tempfile

import numpy as np
import pytest
from support import cli, env, reference


@pytest.fixture
def folder():
    """Many files are made here."""
    with tempfile.TemporaryDirectory(prefix="muster-test-", dir=env.SCRATCH) as path:
        yield pathlib.Path(path)


def many(folder, count, rows=1):
    """Shards of `rows` int64 rows that hold their place in the whole."""
    head = reference.npy(f"{{'descr': '<i8', 'fortran_order': False, 'shape': ({rows},), }}\n")
    whole = np.arange(count * rows, dtype="<i8")
    for i in range(count):
        fd = os.open(folder / f"shard_{i}.npy", os.O_WRONLY | os.O_CREAT)
        os.write(fd, head + whole[i * rows : (i + 1) * rows].tobytes())
        os.close(fd)
    return whole


def few_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))


def test_ten_thousand_shards(folder):
    whole = many(folder, 10_000)
    got = cli.ok("inspect", folder, "--json", preexec_fn=few_files).json
    assert (got["shard_count"], got["rows"]) == (10_000, 10_000)
    assert [s["first_row"] for s in got["shards"]] == list(range(10_000))
    assert [s["path"] for s in got["shards"][::999]] == [
        f"{folder}/shard_{i}.npy" for i in range(0, 10_000, 999)
    ]
    expected = f"{reference.checksum(whole):016x}"
    assert (
        cli.ok("load", folder, "-j2", "--json", "--quiet", preexec_fn=few_files).json["checksum"]
        == expected
    )
    assert cli.ok("plan", folder, "--procs=7", "--json").json["tile_count"] == 7


@pytest.mark.parametrize("threads", [1, 8])
def test_4096_shards_load(folder, tmp_path, threads):
    whole = many(folder, 4096, 64)
    got = cli.ok(
        "load", folder, f"-j{threads}", "-o", tmp_path / "out.npy", "--json", "--quiet"
    ).json
    assert got["checksum"] == f"{reference.checksum(whole):016x}"
    assert np.array_equal(np.load(tmp_path / "out.npy"), whole)


def test_a_hole_among_thousands_is_found(folder):
    many(folder, 3000)
    os.unlink(folder / "shard_1234.npy")
    os.unlink(folder / "shard_2999.npy")
    ran = cli.fails(1, "inspect", folder)
    assert "shard_1234.npy" in ran.err and ran.err.count("\n") == 1


def test_write_and_clean_many(tmp_path):
    cli.ok("write", tmp_path / "new", "--rows=5000", "--shards=2000", "--row-shape=()", "-q")
    cli.ok("verify", tmp_path / "new")
    assert cli.ok("clean", tmp_path / "new", "--json").json["removed"] >= 2000
    assert os.listdir(tmp_path) == []

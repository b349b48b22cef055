# SPDX-License-Identifier: Apache-2.0
"""The same output from any number of threads. Runs with the thread sanitizer, too."""

import os

import numpy as np
import pytest
from support import cli, reference

THREADS = ["-j1", "-j2", "-j8"]


@pytest.fixture
def data(folder):
    """Shards of unequal rows, some big-endian or in Fortran order, and one longer than its array."""
    rng = np.random.default_rng(1)
    parts = [rng.integers(-9, 9, (n, 5), dtype="i4") for n in rng.integers(0, 900, 25)]
    for i, part in enumerate(parts):
        stored = (
            part.astype(">i4") if i % 3 == 0 else np.asfortranarray(part) if i % 3 == 1 else part
        )
        reference.put(folder, f"s{i}.npy", stored)
    with open(folder / "s7.npy", "ab") as file:
        file.write(b"more")
    return folder, np.concatenate(parts)


def same_of_all(*arguments, **options):
    runs = [cli.run(*arguments, threads, **options) for threads in THREADS]
    assert len({(r.status, r.out, r.err) for r in runs}) == 1, runs
    return runs[0]


def test_inspect_and_plan(data):
    same_of_all("inspect", data[0])
    same_of_all("inspect", data[0], "--json")
    same_of_all("plan", data[0], "--procs=5", "--json")


@pytest.mark.parametrize(
    "options",
    [[], ["--to=null"], ["--tile-rows=1"], ["--tile-rows=37"], ["--over-decompose=50"]],
    ids=str,
)
def test_load(data, options):
    folder, whole = data
    for threads in THREADS:
        got = cli.ok("load", folder, "--json", "--quiet", threads, *options).json
        assert got["checksum"] == f"{reference.checksum(whole):016x}"


@pytest.mark.parametrize(
    "options", [[], ["--dtype=f8"], ["--dtype=f2", "--rows=100:-100"]], ids=str
)
def test_load_to_a_file(data, tmp_path, options):
    folder, whole = data
    if options:
        whole = whole.astype(options[0][8:])
    if len(options) > 1:
        whole = whole[100:-100]
    for threads in THREADS:
        cli.ok("load", folder, "-o", tmp_path / "out.npy", threads, *options)
        assert reference.same(np.load(tmp_path / "out.npy"), whole)


def test_faults(data):
    folder, _ = data
    for i in range(3, 25, 2):
        reference.put(folder, f"s{i}.npy", np.zeros((2, i)))
    assert same_of_all("load", folder).status == 1
    assert same_of_all("inspect", folder, "--json").status == 1


def test_write_verify_seal_clean(tmp_path):
    contents = []
    for threads in THREADS:
        cli.ok("write", tmp_path / "new", "--rows=20k", "--shards=9", threads, "--quiet")
        cli.ok("seal", tmp_path / "new", threads, "-o", tmp_path / "seal.json")
        contents.append((cli.files_of(tmp_path / "new"), (tmp_path / "seal.json").read_bytes()))
        assert cli.ok("verify", tmp_path / "new", threads, "--json").json["cells"] == 320_000
        path = cli.ok("inspect", tmp_path / "new", "--json").json["shards"][4]["path"]
        with open(path, "r+b") as file:
            file.seek(-3, 2)
            file.write(b"\xff\xff")
        ran = cli.fails(1, "verify", tmp_path / "new", threads)
        assert os.path.basename(path) in ran.err and "1 wrong" in ran.out
        cli.ok("load", tmp_path / "new", "--seal", tmp_path / "seal.json", "--rows=:10", threads)
        cli.fails(1, "load", tmp_path / "new", "--seal", tmp_path / "seal.json", threads)
        cli.ok("clean", tmp_path / "new")
    assert contents[0] == contents[1] == contents[2]


def test_many_errors_at_once(data):
    """Files that vanish while threads read them."""
    folder, _ = data
    for threads in THREADS:
        process = cli.start("load", folder, "--tile-rows=3", "--quiet", threads)
        for i in range(20, 25):
            if (folder / f"s{i}.npy").exists():
                os.rename(folder / f"s{i}.npy", folder / f"gone{i}")
        _, err = process.communicate(timeout=60)
        assert process.returncode in (0, 1) and b"Sanitizer" not in err
        for i in range(20, 25):
            os.rename(folder / f"gone{i}", folder / f"s{i}.npy")

# SPDX-License-Identifier: Apache-2.0
"""What each command prints and does, against values by NumPy and by arithmetic."""

import json
import os
import re

import numpy as np
import pytest
from support import cli, reference

PARTS = [
    np.arange(12, dtype="f4").reshape(4, 3),
    np.zeros((0, 3), "f4"),
    np.arange(100, 121, dtype="f4").reshape(7, 3),
]
WHOLE = np.concatenate(PARTS)


@pytest.fixture
def data(folder):
    return cli.npy_folder(folder, PARTS)


# ---- inspect -------------------------------------------------------------------------------------


def test_inspect_as_json(data):
    got = cli.ok("inspect", data, "--json").json
    assert got["format"] == "npy" and got["dtype"] == got["source_dtype"] == "float32"
    assert (got["shape"], got["rows"], got["row_bytes"], got["bytes"]) == ([11, 3], 11, 12, 132)
    assert got["rows_per_shard"] == {"min": 0, "median": 4, "max": 7}
    paths = [str(data / f"shard_{i}.npy") for i in range(3)]
    sizes = [os.path.getsize(p) for p in paths]
    assert got["file_bytes"] == sum(sizes) and got["shard_count"] == 3
    expected = zip(paths, [4, 0, 7], [0, 4, 4], sizes)
    keys = ("path", "rows", "first_row", "bytes")
    assert got["shards"] == [dict(zip(keys, e), member=None) for e in expected]
    assert got["tool"] == "muster" and got["notes"] == [] and got["problems"] == []


def test_inspect_as_text(data):
    """The order can be seen: first, second and last shard."""
    out = cli.ok("inspect", data).out
    for word in ("npy", "(11, 3)", "float32", "132", "shard_0.npy", "shard_1.npy", "shard_2.npy"):
        assert word in out
    assert out.index("shard_0.npy") < out.index("shard_1.npy") < out.index("shard_2.npy")


def test_inspect_names_the_right_tool(data):
    assert "cupynumeric.load" in cli.ok("inspect", data / "shard_0.npy").out
    assert cli.ok("inspect", data / "shard_0.npy", "--json").json["tool"] == "cupynumeric.load"
    assert "cupynumeric.load" not in cli.ok("inspect", data).out


def test_inspect_tells_all_problems(folder):
    cli.npy_folder(folder, [np.zeros((2, 3 + i % 2)) for i in range(10)])
    ran = cli.fails(1, "inspect", folder, "--json")
    names = [os.path.basename(p["path"]) for p in ran.json["problems"]]
    assert names == [f"shard_{i}.npy" for i in range(1, 10, 2)]
    assert ran.json["shape"] is None
    told = cli.fails(1, "inspect", folder).err
    assert all(name in told for name in names)


def test_inspect_of_parts_conversions_and_raw(data, tmp_path):
    got = cli.ok("inspect", data, "--rows=-5:", "--dtype=float64", "--json").json
    assert (got["shape"], got["dtype"], got["source_dtype"]) == ([5, 3], "float64", "float32")
    os.mkdir(tmp_path / "raw")
    reference.put(tmp_path / "raw", "x.bin", b"head" + WHOLE.astype(">f4").tobytes())
    options = ["--source-dtype=>f4", "--row-shape=3", "--header-bytes=4", "--format=raw"]
    got = cli.ok("inspect", tmp_path / "raw", "--json", *options).json
    assert (got["format"], got["shape"], got["dtype"], got["source_dtype"]) == (
        "raw",
        [11, 3],
        "float32",
        ">f4",
    )


@pytest.mark.parametrize(
    "input, status, words",
    [
        ("s3://bucket/x.npy", 1, "remote stores are not read"),
        ("gs://bucket/*.npy", 1, "remote stores are not read"),
        ("file:///data/x.npy", 1, "by their paths alone"),
        ("{}/**/*.npy", 2, "one * for each level"),
        ("{}/**", 2, "one * for each level"),
        ("{}/y=*/m=1", 1, "is a folder, not a file: for the files in it, end the pattern with /*"),
        ("{}/a**b.npy", 1, "no file matches this pattern"),
    ],
)
def test_inputs_that_are_no_files_of_ours(tmp_path, input, status, words):
    for name in "y=1/m=1", "y=2/m=1":
        (tmp_path / name).mkdir(parents=True)
        np.save(tmp_path / name / "p.npy", np.zeros(2))
    input = input.format(tmp_path)
    assert words in cli.fails(status, "inspect", input).err
    assert words in cli.fails(status, "inspect", input, tmp_path / "y=1/m=1/p.npy").err


@pytest.mark.parametrize("rows", ["3:99", "12:", "-12:5", ":12"])
def test_rows_that_are_not_there_are_told(data, rows):
    said = rows if rows[0] != ":" else "0" + rows
    told = cli.fails(1, "inspect", data, f"--rows={rows}").err
    assert f"the rows {said} are not all there: the dataset has 11 rows" in told


# ---- plan ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "procs, over, tile_rows", [(1, 1, 0), (3, 1, 0), (4, 2, 0), (100, 1, 0), (2, 1, 5)]
)
def test_plan_as_json(data, procs, over, tile_rows):
    options = [f"--procs={procs}", f"--over-decompose={over}"] + (
        [f"--tile-rows={tile_rows}"] if tile_rows else []
    )
    got = cli.ok("plan", data, "--json", *options).json
    step = tile_rows or -(-11 // (procs * over))
    bounds = [(lo, min(lo + step, 11)) for lo in range(0, 11, step)]
    assert [(t["row_lo"], t["row_hi"]) for t in got["tiles"]] == bounds and got[
        "tile_count"
    ] == len(bounds)
    array = np.full_like(WHOLE, -1)
    for tile in got["tiles"]:
        part = array[tile["row_lo"] : tile["row_hi"]]
        for s in tile["slices"]:
            assert (part[s["dst_lo"] : s["dst_hi"]] == -1).all()
            part[s["dst_lo"] : s["dst_hi"]] = PARTS[s["shard"]][s["file_lo"] : s["file_hi"]]
            assert s["path"] == str(data / f"shard_{s['shard']}.npy")
    assert np.array_equal(array, WHOLE)
    rows = [p["rows"] for p in got["processors"]]
    assert (
        len(rows) == procs and sum(rows) == 11 and sum(p["bytes"] for p in got["processors"]) == 132
    )
    assert sum(p["tiles"] for p in got["processors"]) == len(bounds)
    assert got["balance"] == pytest.approx(max(rows) / (11 / procs))


def test_plan_as_text(data):
    out = cli.ok("plan", data, "--procs=3").out
    assert re.search(r"^ *0 +0:4 +0:4 +shard_0\.npy$", out, re.MULTILINE)
    assert re.search(r"^ *2 +8:11 +4:7 +shard_2\.npy$", out, re.MULTILINE)


# ---- load ----------------------------------------------------------------------------------------


def test_load_as_json(data):
    got = cli.ok("load", data, "--json", "--quiet").json
    assert got["checksum"] == f"{reference.checksum(WHOLE):016x}"
    assert (got["shape"], got["bytes"], got["to"], got["path"]) == ([11, 3], 132, "memory", None)
    assert got["seconds"] >= 0 and got["bytes_per_second"] >= 0


def test_load_as_text(data):
    out = cli.ok("load", data).out
    assert f"{reference.checksum(WHOLE):016x}" in out and "(11, 3)" in out
    out = cli.ok("load", data, "--no-checksum").out
    assert f"{reference.checksum(WHOLE):016x}" not in out
    assert cli.ok("load", data, "--no-checksum", "--json", "--quiet").json["checksum"] is None


VARIANTS = [
    ["--to=memory"],
    ["--to=null"],
    ["-j1"],
    ["-j8", "--tile-rows=1"],
    ["-j3", "--over-decompose=5"],
    ["--tile-rows=4"],
    ["--backend=threads"],
]


@pytest.mark.parametrize("options", VARIANTS, ids=" ".join)
def test_the_checksum_is_the_same_in_every_way(data, options):
    got = cli.ok("load", data, "--json", "--quiet", *options).json
    assert got["checksum"] == f"{reference.checksum(WHOLE):016x}"


def test_the_checksum_is_the_same_of_every_format(data, tmp_path):
    expected = f"{reference.checksum(WHOLE):016x}"
    reference.put(tmp_path, "one.npy", np.asfortranarray(WHOLE.astype(">f4")))
    assert cli.ok("load", tmp_path / "one.npy", "--json", "--quiet").json["checksum"] == expected
    reference.put(tmp_path, "one.raw", WHOLE.tobytes())
    raw = ["--format=raw", "--source-dtype=f4", "--row-shape=3"]
    assert (
        cli.ok("load", tmp_path / "one.raw", *raw, "--json", "--quiet").json["checksum"] == expected
    )
    cli.ok("load", data, "-o", tmp_path / "out.npy")
    assert cli.ok("load", tmp_path / "out.npy", "--json", "--quiet").json["checksum"] == expected


def test_load_writes_a_file(data, tmp_path):
    ran = cli.ok("load", data, "-o", tmp_path / "out.npy", "--json", "--quiet")
    assert reference.same(np.load(tmp_path / "out.npy"), WHOLE)
    assert ran.json["to"] == "npy" and ran.json["path"] == str(tmp_path / "out.npy")
    cli.ok("load", data, "--rows=2:5", "--dtype=f8", "-o", tmp_path / "out.npy")
    assert reference.same(np.load(tmp_path / "out.npy"), WHOLE[2:5].astype("f8"))
    assert sorted(os.listdir(tmp_path)) == ["data", "out.npy"]


def test_load_stacks(folder, tmp_path):
    parts = [np.arange(6.0).reshape(2, 3) + i for i in range(4)]
    cli.npy_folder(folder, parts)
    cli.ok("load", folder, "--stack", "-o", tmp_path / "out.npy")
    assert reference.same(np.load(tmp_path / "out.npy"), np.stack(parts))


def test_load_refuses_to_write_over_a_shard(data):
    before = cli.files_of(data)
    for output in (data / "shard_1.npy", data / "../data/shard_0.npy"):
        cli.fails(2, "load", data, "-o", output)
    os.link(data / "shard_0.npy", data / "../link.npy")
    cli.fails(2, "load", data, "-o", data / "../link.npy")
    assert cli.files_of(data) == before


@pytest.mark.parametrize(
    "options",
    [["-o", "x.npy", "--to=null"], ["-o", ""], ["--to=gpu"], ["--backend=dask"], ["--backend=legate", "--to=null"], ["--launcher-args=--cpus 2"], ["-o", "-"]],
    ids=str,
)
def test_load_options_that_exclude_each_other(data, tmp_path, options):
    cli.fails(2, "load", data, *options, cwd=tmp_path)
    assert os.listdir(tmp_path) == ["data"]


def test_load_of_more_than_memory_is_refused_with_ways_out(tmp_path):
    ran = cli.fails(1, "load", f"null:{2**50}")
    assert "--rows" in ran.err and "-o" in ran.err
    ran = cli.fails(1, "load", f"null:{2**50}", "-o", tmp_path / "x.npy")
    assert os.listdir(tmp_path) == [] and "x.npy" in ran.err


def test_load_lists_globs_and_order(data, tmp_path):
    (tmp_path / "list.txt").write_text("data/shard_2.npy\ndata/shard_0.npy\n")
    expected = np.concatenate([PARTS[2], PARTS[0]])
    for inputs in ([f"@{tmp_path}/list.txt"], [data / "shard_2.npy", data / "shard_0.npy"]):
        cli.ok("load", *inputs, "-o", tmp_path / "out.npy")
        assert reference.same(np.load(tmp_path / "out.npy"), expected)
    os.unlink(data / "shard_1.npy")
    ran = cli.fails(1, "load", data)
    assert "shard_1.npy" in ran.err and "--allow-gaps" in ran.err
    assert "shard_1.npy" in cli.ok("load", f"{data}/*.npy", "--allow-gaps").err


def test_load_verifies(data, tmp_path):
    cli.ok("seal", data)
    assert cli.ok("load", data, "--verify", "--json", "--quiet").json["verified_shards"] == 3
    assert "as sealed" in cli.ok("load", data, "--verify").out
    with open(data / "shard_2.npy", "r+b") as file:
        file.seek(-1, 2)
        file.write(b"\x01")
    ran = cli.fails(1, "load", data, "--verify", "-o", tmp_path / "out.npy")
    assert "shard_2.npy" in ran.err and not (tmp_path / "out.npy").exists()
    cli.ok("load", data)
    cli.ok("seal", data, "-o", tmp_path / "new.json")
    cli.ok("load", data, "--seal", tmp_path / "new.json")
    cli.fails(1, "load", data, "--seal", tmp_path / "none.json")


# ---- write, verify, seal, clean ------------------------------------------------------------------


def test_write_verify_clean(tmp_path):
    options = "--rows=1k --shards=5 --dtype=int16 --row-shape=2x3 --seed=77 --json".split()
    got = cli.ok("write", tmp_path / "new", *options).json
    assert (got["shape"], got["bytes"], got["shard_count"], got["seed"]) == (
        [1000, 2, 3],
        12000,
        5,
        77,
    )
    expected = reference.written(77, "i2", 1000, (2, 3))
    assert (
        cli.ok("load", tmp_path / "new", "--json", "--quiet").json["checksum"]
        == f"{reference.checksum(expected):016x}"
    )
    got = cli.ok("verify", tmp_path / "new", "--json").json
    assert (got["right"], got["cells"], got["wrong_cells"], got["first_wrong"]) == (
        True,
        6000,
        0,
        None,
    )
    assert "6,000 cells" in cli.ok("verify", tmp_path / "new").out
    names = sorted(os.listdir(tmp_path / "new"))
    assert "_muster_write.json" in names and len(names) == 6
    got = cli.ok("clean", tmp_path / "new", "--json").json
    assert got["removed"] >= 5 and got["complete"]
    assert os.listdir(tmp_path) == []


def test_write_of_given_rows(tmp_path):
    cli.ok(
        "write",
        tmp_path / "new",
        "--shard-rows=5,0,1k",
        "--row-shape=()",
        "--format=raw",
        "--dtype=>i8",
    )
    got = cli.ok("inspect", tmp_path / "new", "--json").json
    assert [s["rows"] for s in got["shards"]] == [5, 0, 1000] and got["source_dtype"] == ">i8"
    cli.ok("write", tmp_path / "same", "--shard-rows=5,0,1k", "--rows=1005", "--shards=3")
    for more in (["--rows=7"], ["--shards=2"], ["--equal"]):
        cli.fails(2, "write", tmp_path / "no", "--shard-rows=5,0,1k", *more)
    assert sorted(os.listdir(tmp_path)) == ["new", "same"]


def test_write_equal_rows(tmp_path):
    cli.ok("write", tmp_path / "new", "--rows=10", "--shards=4", "--equal", "-q")
    got = cli.ok("inspect", tmp_path / "new", "--json").json
    assert [s["rows"] for s in got["shards"]] == [3, 3, 2, 2]


def test_write_refuses_an_existing_folder(data):
    before = cli.files_of(data)
    assert str(data) in cli.fails(1, "write", data, "--rows=3").err
    assert cli.files_of(data) == before


def test_verify_tells_the_first_wrong_cell(tmp_path):
    cli.ok(
        "write",
        tmp_path / "new",
        "--rows=100",
        "--shards=4",
        "--equal",
        "--row-shape=3",
        "--dtype=i4",
    )
    shard = [s["path"] for s in cli.ok("inspect", tmp_path / "new", "--json").json["shards"]][2]
    with open(shard, "r+b") as file:
        for place in (-8, -4):  # the last two cells of rows [50, 75): 223 and 224
            file.seek(place, 2)
            value = file.read(1)[0]
            file.seek(place, 2)
            file.write(bytes([value ^ 1]))
    ran = cli.fails(1, "verify", tmp_path / "new", "--json")
    assert (ran.json["right"], ran.json["wrong_cells"], ran.json["first_wrong"]) == (False, 2, 223)
    assert ran.errors[-1]["path"] == shard
    ran = cli.fails(1, "verify", tmp_path / "new")
    assert os.path.basename(shard) in ran.err and "2 wrong" in ran.out


def test_seal_and_verify(data):
    got = cli.ok("seal", data, "--json").json
    assert got["seal"] == f"{data}/_muster_seal.json" and os.path.exists(got["seal"])
    assert cli.ok("verify", data, "--json").json["shards"] == 3
    cli.ok("inspect", data)
    with open(data / "shard_0.npy", "ab") as file:
        file.write(b"x")
    ran = cli.fails(1, "verify", data, "--json")
    assert ran.json["wrong_shards"] == 1 and ran.errors[-1]["path"] == str(data / "shard_0.npy")


def test_seal_of_partitions(tmp_path):
    """Names in the seal are paths below the folder."""
    arrays = {"y=1/m=1": [1, 2], "y=1/m=2": [3], "y=2": [4, 5]}
    for name, values in arrays.items():
        (tmp_path / "d" / name).mkdir(parents=True)
        np.save(tmp_path / "d" / name / "p.npy", np.array(values))
    for spelling in f"{tmp_path}/d", f"{tmp_path}/d//":
        cli.ok("seal", spelling)
        shards = json.loads((tmp_path / "d/_muster_seal.json").read_text())["shards"]
        assert [(s["name"], s["rows"]) for s in shards] == [(f"{n}/p.npy", len(v)) for n, v in arrays.items()]
        assert cli.ok("verify", spelling, "--json").json["shards"] == 3
        assert cli.ok("load", spelling, "--verify", "--json").json["verified_shards"] == 3
    np.save(tmp_path / "d/y=1/m=2/p.npy", np.array([9]))
    for command in ["verify"], ["load", "--verify"]:
        assert "m=2/p.npy" in cli.fails(1, *command, tmp_path / "d").err
    os.remove(tmp_path / "d/y=1/m=2/p.npy")
    assert "y=1/m=2/p.npy was sealed, but is not there" in cli.fails(1, "verify", tmp_path / "d").err


def test_a_seal_does_not_lead_outside(data):
    cli.ok("seal", data)
    text = (data / "_muster_seal.json").read_text()
    for name in "../shard_0.npy", "/shard_0.npy", "a//shard_0.npy", "./shard_0.npy", "a/..":
        (data / "_muster_seal.json").write_text(text.replace("shard_0.npy", name))
        assert "damaged record" in cli.fails(1, "verify", data).err


def test_verify_without_records(data):
    ran = cli.fails(1, "verify", data)
    assert "seal" in ran.err and ran.out == ""


def test_clean_leaves_what_is_not_its_own(data, tmp_path):
    cli.fails(1, "clean", data)
    cli.ok("write", tmp_path / "new", "--rows=10", "--shards=2", "-q")
    (tmp_path / "new" / "mine.txt").write_text("mine")
    ran = cli.fails(1, "clean", tmp_path / "new", "--json")
    assert ran.json["removed"] >= 2 and not ran.json["complete"] and "mine.txt" in ran.err
    assert os.listdir(tmp_path / "new") == ["mine.txt"]


# ---- demo ----------------------------------------------------------------------------------------


def test_demo_shows_everything_and_leaves_nothing(tmp_path):
    ran = cli.ok("demo", "--rows=1000", env={"TMPDIR": str(tmp_path)})
    for command in "write inspect plan load verify clean".split():
        assert re.search(rf"^\$ muster {command} ", ran.out, re.MULTILINE), ran.out
    assert "16,000 cells" in ran.out and os.listdir(tmp_path) == []
    checksum = reference.checksum(reference.written(0, "f4", 1000, (16,)))
    assert f"{checksum:016x}" in ran.out


def test_demo_in_a_given_folder(tmp_path):
    cli.ok("demo", "--rows=100", "--keep", tmp_path / "kept")
    cli.ok("verify", tmp_path / "kept")
    before = cli.files_of(tmp_path)
    cli.fails(1, "demo", "--rows=100", tmp_path / "kept")
    assert cli.files_of(tmp_path) == before
    cli.ok("demo", "--rows=100", "--", "-odd", cwd=tmp_path)
    cli.ok("demo", "--rows=0", tmp_path / "empty")
    assert os.listdir(tmp_path) == ["kept"]


def test_demo_with_a_full_disk_for_its_output_cleans_up(tmp_path):
    with open("/dev/full", "w") as full:
        ran = cli.run("demo", "--rows=1000", stdout=full, env={"TMPDIR": str(tmp_path)})
    assert ran.status == 1 and os.listdir(tmp_path) == []

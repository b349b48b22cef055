# SPDX-License-Identifier: Apache-2.0
"""What must not be lost, overwritten, removed or taken for the same in silence."""

import json
import os
import resource
import signal

import numpy as np
import pytest
import zarr
from support import cli

PARTS = [np.arange(6, dtype="f4").reshape(2, 3), np.arange(9, dtype="f4").reshape(3, 3)]


@pytest.fixture
def data(folder):
    return cli.npy_folder(folder, PARTS)


@pytest.fixture
def raw(tmp_path):
    cli.ok("write", tmp_path / "raw", "--format=raw", "--rows=30", "--shards=2", "--row-shape=4")
    os.remove(tmp_path / "raw/_muster_write.json")  # so that only the seal tells
    return tmp_path / "raw"


def contents(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}


@pytest.mark.parametrize("name", ["shard_0.npy", "shard_1.npy"])
@pytest.mark.parametrize("command", ["load", "seal"])
def test_a_shard_is_not_replaced_by_an_output(data, command, name):
    before = contents(data)
    assert name in cli.fails(2, command, data, "-o", data / name).err
    assert contents(data) == before


@pytest.mark.parametrize("command", ["load", "seal"])
def test_a_sidecar_is_not_replaced_by_an_output(raw, command):
    before = contents(raw)
    cli.fails(2, command, raw, "-o", raw / "shard_meta.json")
    assert contents(raw) == before


@pytest.mark.parametrize(
    "inputs", [["."], ["shard_0.npy"], ["shard_1.npy", "shard_0.npy"], ["shard_?.npy"], ["../data"]]
)
@pytest.mark.parametrize("name", ["all.npy", "s0.npy", "shard_2.npy"])
def test_an_output_does_not_become_a_shard(data, inputs, name):
    ran = cli.fails(2, "load", *inputs, "-o", name, cwd=data)
    assert f"{name}: would lie among the shards" in ran.err
    assert sorted(contents(data)) == ["shard_0.npy", "shard_1.npy"]
    cli.ok("load", data)


def test_nor_in_a_partition(tmp_path):
    for year in (1, 2):
        (tmp_path / f"d/year={year}").mkdir(parents=True)
        np.save(tmp_path / f"d/year={year}/part-0.npy", np.arange(3))
    for place in ("d", "d/year=1", "d/year=2"):
        ran = cli.fails(2, "load", "d", "-o", f"{place}/x.npy", cwd=tmp_path)
        assert "would lie among the shards" in ran.err
    cli.ok("load", "d", "-o", "x.npy", cwd=tmp_path)


def test_an_output_may_lie_beside_what_is_no_series(tmp_path):
    zarr.save_array(tmp_path / "v2.zarr", np.arange(6), zarr_format=2)
    zarr.save_array(tmp_path / "v3.zarr", np.arange(6), zarr_format=3)
    np.savez(tmp_path / "v3.npz", np.arange(6))
    np.save(tmp_path / "x.npy", np.arange(6))
    for name in ("v2.zarr", "./v3.zarr/", "v3.npz", "x.npy"):
        for output in ("out.npy", "out.npy", "v2.npy", "x32.npy"):
            cli.ok("load", name, "-o", output, cwd=tmp_path)
    assert "among the shards" in cli.fails(2, "load", "v2.zarr", "-o", "v2.zarr/x.npy", cwd=tmp_path).err
    (tmp_path / "many").mkdir()
    for i in range(3):  # one after the other into a folder of their own, twice
        for _ in range(2):
            cli.ok("load", "v2.zarr", "-o", f"many/part_{i}.npy", cwd=tmp_path)
    cli.ok("load", "null:10", "-o", "part_3.npy", cwd=tmp_path / "many")


@pytest.mark.parametrize(
    "name", ["x.parquet", "x.h5", "x.NC", "x.zarr", "x.npz", "x.bin", "x.csv", "x.npy.gz", "x.feather"]
)
def test_an_output_is_not_named_like_another_format(data, tmp_path, name):
    ran = cli.fails(2, "load", data, "-o", tmp_path / name)
    assert "-o writes npy files" in ran.err and name in ran.err
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("name", ["x.npy", "x", "x.NPY", "x.parquet.npy", "x.out", "parquet"])
def test_other_names_are_the_users(data, tmp_path, name):
    cli.ok("load", data, "-o", tmp_path / name)
    assert np.array_equal(np.load(tmp_path / name), np.concatenate(PARTS))


@pytest.mark.parametrize(
    "key, value",
    [("dtype", "int32"), ("dtype", "float16"), ("byte_order", "big"), ("trailing_shape", [2, 2]),
     ("trailing_shape", [2])],
)  # fmt: skip
def test_a_seal_holds_what_raw_bytes_mean(raw, key, value):
    cli.ok("seal", raw)
    cli.ok("verify", raw)
    meta = json.loads((raw / "shard_meta.json").read_text())
    del meta["per_shard_rows"]
    (raw / "shard_meta.json").write_text(json.dumps(meta | {key: value}))
    cli.fails(1, "verify", raw)
    cli.fails(1, "load", raw, "--verify", "--to=null")


def test_a_seal_does_not_follow_a_link(data, tmp_path):
    (tmp_path / "victim").write_text("theirs")
    (data / "_muster_seal.json").symlink_to(tmp_path / "victim")
    cli.ok("seal", data)
    assert (tmp_path / "victim").read_text() == "theirs"
    cli.ok("verify", data)


def test_one_shard_of_a_sealed_folder_can_be_checked(data):
    cli.ok("seal", data)
    cli.ok("load", data / "shard_1.npy", "--verify", "--to=null")


def test_a_name_that_no_seal_can_hold(data):
    os.rename(data / "shard_1.npy", os.fsencode(data) + b"/shard_\xff.npy")
    ran = cli.fails(1, "seal", data, "--order=name")
    assert "UTF-8" in ran.err and not (data / "_muster_seal.json").exists()


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_replaced_file_keeps_its_permissions(data, tmp_path, mode):
    out = tmp_path / "out.npy"
    out.write_bytes(b"old")
    out.chmod(mode)
    cli.ok("load", data, "-o", out)
    assert out.stat().st_mode & 0o777 == mode
    assert np.array_equal(np.load(out), np.concatenate(PARTS))


@pytest.mark.parametrize("number", ["SIGUSR1", "SIGXCPU", "SIGQUIT"])
def test_what_batch_systems_send_leaves_nothing_behind(tmp_path, number):
    process = cli.start("write", tmp_path / "new", "--rows=100M", "--row-shape=4")
    while not list(tmp_path.glob(".muster-*.tmp/*")) and process.poll() is None:
        pass
    process.send_signal(getattr(signal, number))
    process.communicate(timeout=60)
    assert process.returncode == -getattr(signal, number)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options", [["load", "null:1000000:f8", "-o"], ["write", "--rows=100k"]])
def test_a_limit_on_the_size_of_files_is_an_error(tmp_path, options):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))

    ran = cli.run(*options, tmp_path / "new", preexec_fn=limit)
    assert ran.status == 1 and "File too large" in ran.err and "new" in ran.err
    assert list(tmp_path.iterdir()) == []


def test_long_doubles_hold_nothing_that_lay_around(data, tmp_path):
    """The padding behind each 80-bit number is zero, so that files and checksums are the same."""
    for dtype in ("float128", "complex256"):
        cli.ok("load", data, "--dtype", dtype, "-o", tmp_path / "a.npy")
        array = np.load(tmp_path / "a.npy")
        assert np.array_equal(array, np.concatenate(PARTS))
        parts = np.frombuffer(array.tobytes(), np.uint8).reshape(-1, 16)
        assert not parts[:, 10:].any()


# ---- clean -----------------------------------------------------------------------------------------


@pytest.fixture
def written(tmp_path):
    cli.ok("write", tmp_path / "new", "--format=raw", "--rows=30", "--shards=3")
    return tmp_path / "new"


def test_clean_takes_a_seal_with_it(written):
    cli.ok("seal", written)
    cli.ok("clean", written)
    assert not written.exists()


def test_clean_by_a_link_and_by_a_point(written, tmp_path):
    (tmp_path / "link").symlink_to(written)
    cli.ok("clean", tmp_path / "link")
    assert not written.exists()
    cli.ok("write", written, "--rows=30")
    cli.ok("clean", ".", cwd=written)
    assert not written.exists()


@pytest.mark.parametrize(
    "name", ["thesis.bin", "../x", "shard_1.bin", "shard_0001.npy", "shard_0001.bin.bak"]
)
def test_clean_looks_at_the_whole_record_first(written, name):
    (written / "thesis.bin").write_bytes(b"123456")
    record = written / "_muster_write.json"
    facts = json.loads(record.read_text())
    facts["files"].append({"name": name, "rows": 1, "bytes": 6})
    record.write_text(json.dumps(facts))
    before = contents(written)
    cli.fails(1, "clean", written)
    assert contents(written) == before


def test_clean_leaves_a_sidecar_that_was_edited(written):
    (written / "shard_meta.json").write_text('{"mine": true}')
    cli.fails(1, "clean", written)
    assert (written / "shard_meta.json").read_text() == '{"mine": true}'


# ---- notes -------------------------------------------------------------------------------------------


def notes(*arguments):
    return " ".join(cli.ok("inspect", *arguments, "--json").json["notes"])


@pytest.mark.parametrize(
    "names, word",
    [(["r10_t0", "r1_t0", "r2_t0"], "as text"), (["s1", "s10", "s2"], "as text"), (["s1", "s2", "s10"], "")],
)
def test_a_list_in_text_order_is_noted(folder, names, word):
    for name in names:
        np.save(folder / f"{name}.npy", PARTS[0])
    told = notes(*(folder / f"{name}.npy" for name in names))
    assert word in told and (word or not told)


@pytest.mark.parametrize("names", [["t0.25", "t0.5", "t1.0"], ["x1.9", "x1.10"]])
def test_digits_behind_a_point_are_noted(folder, names):
    for name in names:
        np.save(folder / f"{name}.npy", PARTS[0])
    assert "point" in notes(folder)


def test_names_without_numbers_are_noted(folder):
    for name in ("train", "test"):
        np.save(folder / f"{name}.npy", PARTS[0])
    assert "no numbers" in notes(folder)


def test_a_file_that_is_there_twice_is_noted(data):
    assert "more than once" in notes(data, data / "shard_1.npy")
    os.link(data / "shard_1.npy", data / "shard_2.npy")
    assert "shard_2.npy" in notes(data)


@pytest.mark.parametrize("option", ["--row-shape=3", "--header-bytes=64", "--sidecar=nothing.json"])
def test_options_for_raw_files_are_refused_for_others(data, option):
    assert "raw" in cli.fails(2, "inspect", data, option).err


@pytest.mark.parametrize("option", ["--rows=0:1", "--dtype=f8", "--stack"])
@pytest.mark.parametrize("command", ["seal", "verify"])
def test_options_without_a_meaning_are_refused(data, command, option):
    cli.fails(2, command, data, option)


def test_a_key_that_stands_twice_in_a_sidecar(raw):
    (raw / "shard_meta.json").write_text('{"dtype":"f4","dtype":"f8","trailing_shape":[]}')
    assert "twice" in cli.fails(1, "inspect", raw).err

# SPDX-License-Identifier: Apache-2.0
"""
Ended at any moment, the program leaves the old state or the new one: by kill -9 perhaps a hidden
temporary file beside it, by Ctrl-C and the like nothing at all. tests/soak has many more moments.
"""

import os
import pathlib
import signal
import time

import h5py
import numpy as np
import pytest
from support import cli, kills

KILLS = 20


def test_killed_writes_leave_all_or_nothing(tmp_path):
    outcomes = kills.kill_writes(tmp_path, KILLS)
    print(outcomes)
    assert outcomes["nothing"] + outcomes["leftovers"] > 0, "never met under way"


def test_killed_loads_leave_the_old_file_or_the_new_one(tmp_path):
    outcomes = kills.kill_loads(tmp_path, KILLS)
    print(outcomes)
    assert outcomes["nothing"] + outcomes["leftovers"] > 0, "never met under way"


def hidden(folder):
    return [name for name in os.listdir(folder) if name.startswith(".")]


def interrupt(process, number, folder):
    """Sends the signal when the temporary file is there: in the middle of the work."""
    deadline = time.monotonic() + 30
    while not hidden(folder) and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.001)
    assert process.poll() is None and hidden(folder), process.communicate()
    process.send_signal(number)
    begun = time.monotonic()
    out, err = process.communicate(timeout=30)
    assert process.returncode == -number
    assert time.monotonic() - begun < 10
    assert out == b"" and b"Sanitizer" not in err
    return cli.decode(err)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_load_leaves_the_old_file(tmp_path, number):
    np.save(tmp_path / "out.npy", np.arange(3))
    process = cli.start(
        "load", "null:100000000x4", "-o", "out.npy", "-j2", "--tile-rows=10k", cwd=tmp_path
    )
    interrupt(process, number, tmp_path)
    assert os.listdir(tmp_path) == ["out.npy"] and np.load(tmp_path / "out.npy").tolist() == [
        0,
        1,
        2,
    ]


def large_hdf5(folder):
    """An array of which nothing was written: all of it is the fill value."""
    folder.mkdir()
    with h5py.File(folder / "x.h5", "w") as file:
        file.create_dataset("x", (100_000_000, 4), "f8", chunks=(100_000, 4))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_load_in_a_process_of_its_own(tmp_path, number):
    large_hdf5(tmp_path / "data")
    (tmp_path / "out").mkdir()
    process = cli.start("load", "../data/x.h5", "-o", "out.npy", "-j2", cwd=tmp_path / "out")
    interrupt(process, number, tmp_path / "out")
    assert os.listdir(tmp_path / "out") == []


def test_a_process_of_its_own_ends_with_the_program(tmp_path):
    large_hdf5(tmp_path / "data")
    process = cli.start("load", "data/x.h5", "--to=null", "--tile-rows=1000", cwd=tmp_path)
    children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while process.poll() is None and not children.read_text():
        time.sleep(0.001)
    process.kill()
    out, err = process.communicate(timeout=30)  # whose ends the other process has, too
    assert (process.returncode, out, err) == (-signal.SIGKILL, b"", b"")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_write_leaves_nothing(tmp_path, number):
    process = cli.start("write", "new", "--rows=20M", "--shards=9", "-j2", cwd=tmp_path)
    interrupt(process, number, tmp_path)
    assert os.listdir(tmp_path) == []


def test_a_demo_that_is_interrupted_cleans_up(tmp_path):
    for moment in (0.02, 0.1, 0.3):
        process = cli.start("demo", "--rows=2M", cwd=tmp_path, env={"TMPDIR": str(tmp_path)})
        time.sleep(moment)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        assert process.returncode in (0, -signal.SIGINT)
        assert os.listdir(tmp_path) == []


def test_interrupts_at_random_moments_leave_nothing(tmp_path):
    os.mkdir(tmp_path / "w")
    os.mkdir(tmp_path / "l")
    kills.kill_writes(tmp_path / "w", 8, signal.SIGINT)
    kills.kill_loads(tmp_path / "l", 8, signal.SIGTERM)


def test_ignored_signals_stay_ignored(tmp_path):
    """Under nohup a hang-up does not end it."""
    process = cli.start(
        "load",
        "null:10000000x4",
        "-o",
        "out.npy",
        cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )
    while process.poll() is None:
        process.send_signal(signal.SIGHUP)
        time.sleep(0.005)
    assert process.wait() == 0 and np.load(tmp_path / "out.npy", mmap_mode="r").shape == (
        10000000,
        4,
    )
    process.communicate()


def test_leftovers_of_a_kill_do_no_harm(tmp_path):
    """A later write or load beside them works, and they are no shards."""
    process = cli.start("load", "null:100000000x4", "-o", "out.npy", "-j2", cwd=tmp_path)
    while not hidden(tmp_path) and process.poll() is None:
        time.sleep(0.001)
    process.kill()
    process.communicate()
    left = hidden(tmp_path)
    assert left
    cli.ok("load", "null:10", "-o", "out.npy", cwd=tmp_path)
    assert cli.ok("inspect", tmp_path, "--json").json["rows"] == 10
    assert hidden(tmp_path) == left

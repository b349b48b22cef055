# SPDX-License-Identifier: Apache-2.0
"""Ending the program at random moments, and what may be left then."""

import os
import random
import signal
import time

import numpy as np
from support import cli, env, reference

WRITE = ["--rows=400k", "--shards=7", "--seed=3", "-j2", "--quiet"]


def duration(*arguments, cwd):
    begun = time.monotonic()
    cli.ok(*arguments, cwd=cwd)
    return time.monotonic() - begun


def moments(count, longest, seed):
    """From the first instruction to a little after the end."""
    draw = random.Random(seed)
    return [draw.random() * longest * 1.1 for _ in range(count)]


def end_at(moment, number, *arguments, cwd):
    process = cli.start(*arguments, cwd=cwd)
    time.sleep(moment)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode in (0, -number), (process.returncode, err)
    return process.returncode


def check_names(folder, allowed):
    """Nothing but these names and hidden temporary ones. Returns whether there are leftovers."""
    others = set(os.listdir(folder)) - set(allowed)
    assert all(name.startswith(".") for name in others), others
    return bool(others)


def kill_writes(folder, count, number=signal.SIGKILL):
    """Ends `write` now and then: all of the folder, or none of it."""
    longest = duration("write", "whole", *WRITE, cwd=folder)
    expected = cli.files_of(folder / "whole")
    outcomes = {"nothing": 0, "leftovers": 0, "whole": 0}
    for moment in moments(count, longest, env.SEED):
        end_at(moment, number, "write", "new", *WRITE, cwd=folder)
        left = check_names(folder, ["whole", "new"])
        if (folder / "new").exists():
            assert cli.files_of(folder / "new") == expected
            outcomes["whole"] += 1
        else:
            outcomes["leftovers" if left else "nothing"] += 1
        sweep(folder, ["whole"], left_is_fine=number == signal.SIGKILL)
    return outcomes


def kill_loads(folder, count, number=signal.SIGKILL):
    """Ends `load -o` now and then: the old file or the new one, byte by byte."""
    parts = [np.arange(i * 10**6, (i + 1) * 10**6, dtype="i8").reshape(-1, 4) for i in range(6)]
    cli.npy_folder(folder / "data", parts)
    command = ["load", "data", "-o", "out.npy", "-j2", "--quiet"]
    longest = duration(*command, cwd=folder)
    assert reference.same(np.load(folder / "out.npy"), np.concatenate(parts))
    new, old = (folder / "out.npy").read_bytes(), b"the old file"
    outcomes = {"nothing": 0, "leftovers": 0, "whole": 0}
    for moment in moments(count, longest, env.SEED + 1):
        (folder / "out.npy").write_bytes(old)
        end_at(moment, number, *command, cwd=folder)
        left = check_names(folder, ["data", "out.npy"])
        content = (folder / "out.npy").read_bytes()
        assert content in (old, new), f"{len(content)} bytes, neither the old nor the new file"
        outcomes["whole" if content == new else "leftovers" if left else "nothing"] += 1
        sweep(folder, ["data", "out.npy"], left_is_fine=number == signal.SIGKILL)
    return outcomes


def sweep(folder, keep, left_is_fine):
    """Removes the new folder and leftovers; after a signal that can be caught there are none."""
    for name in set(os.listdir(folder)) - set(keep):
        assert left_is_fine or not name.startswith("."), f"left behind: {name}"
        path = folder / name
        if path.is_dir():
            for inner in path.iterdir():
                inner.unlink()
            path.rmdir()
        else:
            path.unlink()

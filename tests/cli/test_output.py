# SPDX-License-Identifier: Apache-2.0
"""What goes to stdout and stderr, and what happens when they take no more."""

import os
import pty
import re
import signal
import subprocess

import numpy as np
import pytest
from support import cli, reference

HOSTILE = [
    b"\x1b[31mred\x07.npy",
    b"new\nmuster: line.npy",
    b"tab\tcr\r.npy",
    b"bad-\xff.npy",
    "bidi-\u202e\u2066.npy".encode(),
    b"\x9b1m.npy",
    "c1-\u009b31m.npy".encode(),
    b"del\x7f.npy",
]

RESULTS = [
    ["--help"],
    ["--version"],
    ["load", "--help"],
    ["formats"],
    ["inspect", "data"],
    ["inspect", "data", "--json"],
    ["plan", "data", "--procs=2"],
    ["plan", "data", "--procs=2", "--json"],
    ["load", "data"],
    ["load", "data", "--json", "--quiet"],
]


@pytest.fixture
def here(tmp_path):
    """A folder to run in, with a dataset named data."""
    cli.npy_folder(tmp_path / "data", [np.arange(6.0).reshape(3, 2), np.arange(4.0).reshape(2, 2)])
    return tmp_path


@pytest.mark.parametrize("arguments", RESULTS, ids=" ".join)
def test_a_full_disk_is_an_error(here, arguments):
    with open("/dev/full", "w") as full:
        ran = cli.run(*arguments, cwd=here, stdout=full)
    assert ran.status == 1 and "standard output" in ran.err and os.strerror(28) in ran.err


@pytest.mark.parametrize("arguments", RESULTS, ids=" ".join)
def test_a_closed_stdout_is_an_error(here, arguments):
    ran = cli.run(*arguments, cwd=here, stdout=None, preexec_fn=lambda: os.close(1))
    assert ran.status == 1 and "standard output" in ran.err


@pytest.mark.parametrize("closed", [(0,), (2,), (0, 1, 2)], ids=str)
def test_closed_standard_files_are_not_written_over(here, closed):
    """A file that is opened must not take the number of stderr and get its messages."""

    def close():
        for fd in closed:
            os.close(fd)

    streams = {
        "stdin": None,
        "stdout": None if 1 in closed else subprocess.PIPE,
        "stderr": None if 2 in closed else subprocess.PIPE,
    }
    before = cli.files_of(here / "data")
    ran = cli.run("load", "data", "-o", "out.npy", cwd=here, preexec_fn=close, **streams)
    assert ran.status == (1 if 1 in closed else 0)
    assert cli.files_of(here / "data") == before
    assert np.load(here / "out.npy").shape == (5, 2)
    ran = cli.run("load", "missing", cwd=here, preexec_fn=close, **streams)
    assert ran.status == 1


@pytest.mark.parametrize("arguments", RESULTS, ids=" ".join)
def test_a_reader_that_went_away_ends_it_quietly(here, arguments):
    """As other programs by SIGPIPE; where that is ignored, with a message."""
    for restore, status in ((True, -signal.SIGPIPE), (False, 1)):
        read, write = os.pipe()
        os.close(read)
        ran = cli.run(*arguments, cwd=here, stdout=write, restore_signals=restore)
        os.close(write)
        assert ran.status == status and (ran.err == "") == restore


def test_nothing_but_the_result_is_on_stdout(here):
    with open(here / "data/shard_0.npy", "ab") as file:
        file.write(b"more")
    ran = cli.ok("inspect", "data", cwd=here)
    assert "note" in ran.err and "note" not in ran.out
    assert cli.ok("inspect", "data", "--quiet", cwd=here).err == ""
    assert cli.ok("inspect", "data", "--quiet", cwd=here).out == ran.out
    ran = cli.ok("inspect", "data", "--json", cwd=here)
    assert ran.err == "" and any("shard_0.npy" in n for n in ran.json["notes"])


def test_quiet_does_not_silence_errors(here):
    assert cli.fails(1, "load", "missing", "--quiet", cwd=here).err


@pytest.mark.parametrize("name", HOSTILE, ids=repr)
@pytest.mark.parametrize("command", ["inspect", "load", "plan"])
def test_hostile_names_do_no_harm(folder, name, command):
    """On a terminal and in a log they are one line without control characters."""
    path = os.path.join(os.fsencode(folder), name)
    more = ["--procs=2"] if command == "plan" else []
    with open(path, "wb") as file:
        np.save(file, np.arange(3.0))
    good = cli.ok(command, path, *more)
    with open(path, "ab") as file:
        file.write(b"trailing")
    noted = cli.ok(command, path, *more)
    os.truncate(path, 130)
    broken = cli.fails(1, command, path, *more)
    missing = cli.fails(1, command, path + b"\x1b[2J", *more)
    for text in (good.out, good.err, noted.out, noted.err, broken.err, missing.err):
        assert not re.search(
            "[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\udc80-\udcff]", text
        ), repr(text)
    assert broken.err.count("\n") == missing.err.count("\n") == 1
    assert noted.err
    if command == "inspect":
        ran = cli.fails(1, command, folder, "--json")
        assert ran.json["problems"][0]["path"] == ran.errors[0]["path"]
        assert ran.errors[0]["path"].startswith(str(folder))


@pytest.mark.parametrize("value", [b"\x1b[31m", b"a\nmuster: b", b"\xff"], ids=repr)
def test_hostile_values_do_no_harm(here, value):
    for option in (b"--dtype=", b"--order=", b"--rows=", b"--format=", b"--", b"--threads="):
        ran = cli.fails(2, "load", "data", option + value, cwd=here)
        assert ran.err.count("\n") == 1 and not re.search(
            "[\x00-\x09\x0b-\x1f\x7f-\x9f\udc80-\udcff]", ran.err
        ), ran.err


def test_all_faults_are_printed_each_once_with_all_its_files(folder):
    cli.npy_folder(folder, [np.zeros((2, 3 if i % 3 else 4), "f4") for i in range(30)])
    ran = cli.fails(1, "load", folder)
    first, others, end = ran.err.splitlines()
    wrong = [f"shard_{i}.npy" for i in range(30) if i % 3]
    assert first.startswith(f"muster: {folder / wrong[0]}: ") and "shard_0.npy" in first
    assert others == "muster: and 19 more alike: " + ", ".join(wrong[1:20])
    assert end == "muster: no more than 20 faults are shown"
    ran = cli.fails(1, "load", folder, "--json")
    error = ran.errors[-1]
    assert [os.path.basename(p["path"]) for p in error["problems"]] == wrong[:20]
    assert error["status"] == "mismatch" or "fit" in error["status"]


def test_faults_of_two_kinds_in_two_folders(tmp_path):
    for name in "ab":
        (tmp_path / name).mkdir()
        cli.npy_folder(tmp_path / name, [np.zeros((2, 3), "f4"), np.zeros(2, "f4"), np.zeros((2, 3), "f8")])
    a, b = tmp_path / "a", tmp_path / "b"
    lines = cli.fails(1, "inspect", a, b).err.splitlines()
    assert [line.partition(": ")[2].partition(": ")[0] for line in lines[:1] + lines[2:3]] == [
        str(a / "shard_1.npy"),
        str(a / "shard_2.npy"),
    ]
    alike = [f"muster: and 1 more alike: {b / name}" for name in ("shard_1.npy", "shard_2.npy")]
    assert lines[1::2] == alike and len(lines) == 4


def test_a_remark_on_many_files_is_one_note(folder):
    cli.npy_folder(folder, [np.zeros(3)] * 30)
    for i in range(30):
        with open(folder / f"shard_{i}.npy", "ab") as file:
            file.write(b"\0" * (8 if i % 10 else 3))
    lines = cli.ok("inspect", folder).err.splitlines()
    assert len(lines) == 2
    assert "shard_0.npy: 3 bytes behind" in lines[0] and lines[0].endswith(" (and 2 more alike)")
    assert "shard_1.npy: 8 bytes behind" in lines[1] and lines[1].endswith(" (and 26 more alike)")


# ---- colours, terminals --------------------------------------------------------------------------


def on_a_terminal(*arguments, columns=80, **options):
    """stderr and stdout of a run whose both are one terminal, and its exit status."""
    import fcntl
    import struct
    import termios

    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = cli.start(*arguments, stdout=other, stderr=other, **options)
    os.close(other)
    seen = b""
    while True:
        try:
            data = os.read(main, 65536)
        except OSError:
            break
        if not data:
            break
        seen += data
    os.close(main)
    return process.wait(), cli.decode(seen)


COLOUR = "\x1b["


@pytest.mark.parametrize(
    "environment, coloured",
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False),
        ({"TERM": "xterm", "NO_COLOR": ""}, True),
        ({"TERM": "dumb"}, False),
        ({}, False),
    ],
    ids=str,
)
def test_colours_only_where_they_are_wanted(here, environment, coloured):
    status, seen = on_a_terminal("load", "missing", cwd=here, env=environment)
    assert status == 1 and (COLOUR in seen) == coloured
    assert COLOUR not in cli.fails(1, "load", "missing", cwd=here, env=environment).err


def test_a_bar_on_a_terminal_is_wiped_away(here):
    for columns in (20, 40, 80, 200):
        status, seen = on_a_terminal(
            "load", "null:4000000x16", cwd=here, columns=columns, env={"TERM": "xterm"}
        )
        assert status == 0 and "%" in seen
        for line in re.split("[\r\n]", seen):
            if "%" in line:
                assert len(line) < columns or "[" not in line, repr(line)
    status, seen = on_a_terminal(
        "load", "null:4000000x16", "--quiet", cwd=here, env={"TERM": "xterm"}
    )
    assert status == 0 and "%" not in seen


def test_progress_as_json(here):
    ran = cli.ok("load", "null:4000000x16:f4", "--json", cwd=here)
    told = [o for o in ran.errors if o["schema"] == "muster.progress/1"]
    assert told and told[-1]["rows_done"] == told[-1]["rows"] == 4000000
    assert told[-1]["bytes_done"] == told[-1]["bytes"] == 4000000 * 16 * 4
    assert [t["rows_done"] for t in told] == sorted(t["rows_done"] for t in told)
    assert cli.ok("load", "null:40", "--json", "--quiet", cwd=here).err == ""


@pytest.mark.parametrize("mode", ["bar", "lines", "json", "none", "auto"])
def test_progress_modes(here, mode):
    ran = cli.ok("load", "data", f"--progress={mode}", cwd=here)
    assert (ran.err == "") == (mode in ("none", "auto", "lines"))
    assert ran.out
    cli.fails(2, "load", "data", "--progress=loud", cwd=here)


# ---- the same for everybody ----------------------------------------------------------------------

LOCALES = ["C", "POSIX", "C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8", "no_SUCH"]


def without_time(text):
    """Rates, seconds and what depends on them."""
    return re.sub(r'("(?:seconds|bytes_per_second|threads)[a-z_]*": )[-+.\deE]+', r"\1?", text)


@pytest.mark.parametrize(
    "arguments",
    [a for a in RESULTS if a != ["load", "data"]] + [["load", "missing"], ["lod"]],
    ids=" ".join,
)
def test_output_does_not_depend_on_the_locale(here, arguments):
    runs = [
        cli.run(*arguments, cwd=here, env={"LC_ALL": name, "LANG": name, "LANGUAGE": "de:tr"})
        for name in LOCALES
    ]
    assert len({(r.status, without_time(r.out), without_time(r.err)) for r in runs}) == 1


def test_output_does_not_depend_on_the_working_directory(here):
    """But for the paths, which are as they were given."""
    absolute = [a if a != "data" else here / "data" for a in ("inspect", "data", "--json")]
    outs = {cli.ok(*absolute, cwd=cwd).out for cwd in (here, "/", here / "data")}
    assert len(outs) == 1
    relative = cli.ok("inspect", "data", "--json", cwd=here).out
    assert relative == outs.pop().replace(str(here) + "/", "")
    assert cli.ok("inspect", ".", "--json", cwd=here / "data").json["rows"] == 5
    assert cli.ok("inspect", "../data/", "--json", cwd=here / "data").json["rows"] == 5


def test_relative_results_go_to_the_working_directory(here):
    cli.ok("load", "data", "-o", "out.npy", cwd=here)
    cli.ok("load", "../data", "-o", "../out2.npy", cwd=here / "data")
    assert reference.same(np.load(here / "out.npy"), np.load(here / "out2.npy"))

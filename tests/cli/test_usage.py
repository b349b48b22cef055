# SPDX-License-Identifier: Apache-2.0
"""Command lines: help, version, slips of the hand, numbers, exit statuses."""

import os
import re

import numpy as np
import pytest
from support import cli, env, reference


@pytest.fixture
def data(folder):
    return cli.npy_folder(folder, [np.arange(6.0).reshape(3, 2), np.arange(4.0).reshape(2, 2)])


def test_version():
    text = (env.SOURCE / "include/muster/version.h").read_text()
    version = ".".join(re.findall(r"VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text))
    for option in ("--version", "-V"):
        assert cli.ok(option).out == f"muster {version}\n"


@pytest.mark.parametrize("option", ["--help", "-h", "help"])
def test_help_lists_the_commands(option):
    out = cli.ok(option).out
    assert all(re.search(rf"^  {c} ", out, re.MULTILINE) for c in cli.COMMANDS)


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_has_help(command):
    ran = cli.ok(command, "--help")
    assert ran.err == "" and f"muster {command}" in ran.out and "--quiet" in ran.out
    assert cli.ok(command, "-h").out == ran.out == cli.ok("help", command).out
    assert max(map(len, ran.out.splitlines())) <= 80
    assert not re.search(r"[ \t]+$", ran.out, re.MULTILINE)


def test_help_needs_no_other_argument_and_goes_first(data):
    assert "muster load" in cli.ok("load", data, "--help").out
    assert "muster plan" in cli.ok("plan", "--procs", "3", "--help").out


SLIPS = [
    (["lod"], "load"),
    (["inpsect"], "inspect"),
    (["Load"], "load"),
    (["verfy", "x"], "verify"),
    (["hlep"], "help"),
    (["--hepl"], "--help"),
    (["--versoin"], "--version"),
    (["load", "--dtpe", "f4", "x"], "--dtype"),
    (["load", "--treads=3", "x"], "--threads"),
    (["inspect", "--jsno", "x"], "--json"),
    (["plan", "--proc", "x"], None),
    (["load", "--row-shap", "x"], None),
    (["xyzzy"], None),
    (["load", "--xyzzy", "x"], None),
    (["load", "-z", "x"], None),
    (["load", "--" + "x" * 5000, "x"], None),
    (["x" * 5000], None),
    (["\x1b[31m"], None),
    (["load", "--\x1b[31m", "x"], None),
]


@pytest.mark.parametrize("arguments, near", SLIPS, ids=lambda v: str(v)[:40])
def test_slips_are_answered_with_what_was_meant(arguments, near):
    ran = cli.run(*arguments)
    assert ran.out == ""
    if near is None and arguments[0] in ("plan",):
        assert ran.status == 2  # --proc stands for --procs, whose value is no number
    elif near is None:
        assert ran.status == 2 and "did you mean" not in ran.err
    else:
        assert ran.status == 2 and f"did you mean '{near}'?" in ran.err
    assert ran.err.count("\n") == 1 and "\x1b" not in ran.err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["load"],
        ["inspect"],
        ["plan", "x"],
        ["write"],
        ["verify"],
        ["seal"],
        ["clean"],
        ["load", ""],
        ["inspect", "--rows"],
    ],
)
def test_what_is_missing_is_said(arguments):
    ran = cli.fails(2, *arguments)
    assert ran.out == "" and ran.err.count("\n") == 1 and "--help'" in ran.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["formats", "x"],
        ["demo", "x", "y"],
        ["clean", "x", "y"],
        ["verify", "x", "y"],
        ["write", "x", "y"],
    ],
)
def test_one_argument_too_many(arguments, tmp_path):
    cli.fails(2, *arguments, cwd=tmp_path)
    assert os.listdir(tmp_path) == []


def test_options_may_be_shortened_and_stand_anywhere(data):
    expected = cli.ok("plan", data, "--procs", "2").out
    assert cli.ok("plan", "--procs=2", data).out == expected
    assert cli.ok("plan", "--proc", "2", data).out == expected
    assert cli.ok("plan", "-p2", "--", data).out == expected
    assert cli.fails(2, "plan", "--o", "2", data).err.count("several") == 1


BAD_NUMBERS = [
    "",
    "x",
    "-1",
    "1.5",
    "1e3",
    "0x10",
    "1 2",
    " 1",
    "1k5",
    "1KB",
    "99999999999999999999",
    "18446744073709551616",
    "20000000T",
    "١",
]


@pytest.mark.parametrize("number", BAD_NUMBERS)
@pytest.mark.parametrize(
    "option", ["--threads", "--header-bytes", "--tile-rows", "--over-decompose", "--procs"]
)
def test_bad_numbers(data, option, number):
    command = "plan" if option == "--procs" else "load"
    ran = cli.fails(2, command, data, f"{option}={number}")
    assert ran.out == "" and option in ran.err


@pytest.mark.parametrize(
    "option",
    [
        "--threads=0",
        "--threads=100000",
        "--tile-rows=0",
        "--over-decompose=0",
        "--order=age",
        "--to=nowhere",
    ],
)
def test_values_that_make_no_sense(data, option):
    assert option.split("=")[0] in cli.fails(2, "load", data, option).err


@pytest.mark.parametrize(
    "text, count",
    [
        ("0", 0),
        ("7", 7),
        ("007", 7),
        ("3k", 3000),
        ("3K", 3000),
        ("2Ki", 2048),
        ("64M", 64 * 10**6),
        ("64Mi", 64 * 2**20),
        ("1G", 10**9),
        ("1Ti", 2**40),
    ],
)
def test_numbers_with_suffixes(text, count):
    result = cli.ok("inspect", f"null:{2**41}:int8", "--json", "--rows", f"0:{text}").json
    assert result["rows"] == count


@pytest.mark.parametrize(
    "rows, expected",
    [
        (":", [0, 1, 2, 3, 4]),
        ("1:3", [1, 2]),
        (":2", [0, 1]),
        ("3:", [3, 4]),
        ("-2:", [3, 4]),
        ("-4:-1", [1, 2, 3]),
        ("0:0", []),
        (" 1 : 3 ", [1, 2]),
    ],
)
def test_row_ranges(folder, tmp_path, rows, expected):
    reference.put(folder, "x.npy", np.arange(5))
    cli.ok("load", folder, f"--rows={rows}", "-o", tmp_path / "out.npy")
    assert np.load(tmp_path / "out.npy").tolist() == expected


@pytest.mark.parametrize(
    "rows",
    [
        "",
        "5",
        "a:b",
        "1:2:3",
        "1:2:",
        "1-2",
        "1,2",
        "::",
        "--1:2",
        "1:+2",
        "99999999999999999999:",
        "1:2x",
    ],
)
def test_bad_row_ranges(data, rows):
    assert "--rows" in cli.fails(2, "load", data, f"--rows={rows}").err


@pytest.mark.parametrize(
    "shape, expected",
    [
        ("()", [12]),
        ("scalar", [12]),
        ("3", [4, 3]),
        ("2,3", [2, 2, 3]),
        ("2x3", [2, 2, 3]),
        ("(2, 3)", [2, 2, 3]),
        ("(3,)", [4, 3]),
    ],
)
def test_row_shapes(folder, shape, expected):
    reference.put(folder, "x.bin", bytes(48))
    ran = cli.run(
        "inspect", folder, "--json", "--format=raw", "--source-dtype=f4", f"--row-shape={shape}"
    )
    assert ran.status == 0, ran.err
    assert ran.json["shape"] == expected


@pytest.mark.parametrize(
    "shape",
    [
        "",
        "x",
        "2x",
        "x2",
        "2,,3",
        "(2",
        "2)",
        "-1",
        "2.5",
        "99999999999999999999",
        ",".join(["1"] * 70),
    ],
)
def test_bad_row_shapes(folder, shape):
    reference.put(folder, "x.bin", bytes(48))
    cli.fails(2, "inspect", folder, "--format=raw", "--source-dtype=f4", f"--row-shape={shape}")


def test_dtypes_and_formats_that_do_not_exist(data):
    assert "float31" in cli.fails(2, "load", data, "--dtype=float31").err
    ran = cli.fails(2, "load", data, "--format=nyp")
    assert "nyp" in ran.err and "formats" in ran.err


def test_formats_are_listed():
    out = cli.ok("formats").out
    assert re.search(r"^npy\b", out, re.MULTILINE) and re.search(r"^raw\b", out, re.MULTILINE)
    assert {"npy", "raw"} <= {f["name"] for f in cli.ok("formats", "--json").json["formats"]}


EXITS = [
    (1, ["inspect", "missing"]),
    (1, ["load", "missing.npy"]),
    (1, ["load", "*.xyz"]),
    (1, ["plan", "missing", "--procs=2"]),
    (1, ["verify", "missing"]),
    (1, ["seal", "missing"]),
    (1, ["clean", "missing"]),
    (1, ["load", "bad.npy"]),
    (1, ["load", "good.npy", "--dtype=int32"]),
    (1, ["load", "good.npy", "-o", "no/such/folder/x.npy"]),
    (1, ["write", "good.npy", "--rows=3"]),
    (1, ["write", "no/such/folder", "--rows=3"]),
    (1, ["load", "good.npy", "--rows=0:100"]),
    (2, ["load", "good.npy", "--frmat=npy"]),
    (2, ["load", "null:x"]),
    (0, ["load", "good.npy"]),
    (0, ["load", "null:10"]),
]


@pytest.mark.parametrize(
    "status, arguments", EXITS, ids=lambda v: " ".join(v) if isinstance(v, list) else str(v)
)
def test_exit_statuses(tmp_path, status, arguments):
    """0 done, 1 the data is wrong, 2 usage; with --json the same."""
    np.save(tmp_path / "good.npy", np.arange(5.0))
    (tmp_path / "bad.npy").write_bytes(b"\x93NUMPY\1\0garbage")
    for more in ([], ["--json"]) if arguments[0] != "demo" else ([],):
        ran = cli.run(*arguments, *more, cwd=tmp_path)
        assert ran.status == status, ran
        if status and more:
            error = ran.errors[-1]
            assert error["schema"] == "muster.error/1" and error["exit"] == status
            assert error["command"] == arguments[0]
        assert (ran.out != "") == (status == 0) or arguments[0] == "inspect"


def test_special_files_do_not_hang(tmp_path):
    """A FIFO without a writer, devices, sockets' folders: an error at once."""
    os.mkfifo(tmp_path / "x.npy")
    for path in (
        tmp_path / "x.npy",
        tmp_path,
        "/dev/zero",
        "/dev/null",
        "/dev/stdin",
        "/proc/self/mem",
    ):
        cli.fails(1, "inspect", path, timeout=20)
        cli.fails(
            1, "inspect", path, "--format=raw", "--source-dtype=f4", "--row-shape=()", timeout=20
        )


def test_stdin_is_not_read(data):
    assert cli.ok("load", data, "--quiet", stdin=None).out

# SPDX-License-Identifier: Apache-2.0
"""`muster load --backend legate` on the real Legate, and what it says where something is missing."""

import json
import os
import pathlib
import signal
import sys
import time

import numpy as np
import pytest
from support import cli, env

ENGINE = env.SOURCE / ".venv-engine"
SIZE = "--cpus 2 --gpus 0 --sysmem 700"

needs_engine = pytest.mark.skipif(
    not (ENGINE / "stamp-engine").exists(),
    reason="cuPyNumeric is not installed: tools/setup.sh engine (CPython 3.11 on Linux)",
)


def environment(path=f"{ENGINE}/bin", package=env.BUILD / "python"):
    return cli.CLEAN | {
        "PATH": f"{path}:{os.environ['PATH']}",
        "PYTHONPATH": str(package),
        "LD_LIBRARY_PATH": f"{env.BUILD}/tests/support/no_gpu",
    }


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    parts = [np.random.default_rng(n).random((n, 3), "f4") for n in (700, 0, 1801)]
    return cli.npy_folder(tmp_path_factory.mktemp("legate") / "data", parts)


def load(*arguments, **options):
    return cli.run("load", *arguments, "--backend=legate", env=environment(**options), timeout=200)


@needs_engine
@pytest.mark.parametrize(
    "options",
    [["--launcher-args", SIZE], ["-j1"], ["--rows=5:-7", "--dtype=f8", f"--launcher-args={SIZE}", "--over-decompose=3"]],
    ids=["as told", "sized by itself", "options"],
)
def test_the_checksum_is_that_of_the_threads(data, options):
    ran = load(data, "--json", *options)
    assert ran.status == 0, ran.err
    found = cli.parse(ran.out)
    local = [o for o in options if o.startswith(("--rows", "--dtype"))]
    expected = cli.parse(cli.ok("load", data, "--json", *local).out)
    assert found["checksum"] == expected["checksum"] and found["shape"] == expected["shape"]
    assert found["backend"] == "legate" and found["to"] == "cupynumeric"
    assert found["processors"] == ("1 CPU" if options == ["-j1"] else "2 CPUs")


@needs_engine
def test_for_people(data):
    ran = load(data, "--no-checksum", "--launcher-args", SIZE)
    assert ran.status == 0, ran.err
    assert "Legate   2 CPUs\n" in ran.out and "checksum" not in ran.out


@needs_engine
def test_dates_are_integers(tmp_path):
    folder = cli.npy_folder(tmp_path / "dates", [np.arange("2024-01", "2024-03", dtype="M8[D]")])
    ran = load(folder, "--json", "--launcher-args", SIZE)
    found = cli.parse(ran.out)
    expected = cli.parse(cli.ok("load", folder, "--dtype=int64", "--json").out)
    assert found["dtype"] == "int64" and found["checksum"] == expected["checksum"]
    assert "cuPyNumeric has no dates" in load(folder, "--launcher-args", SIZE).err


@needs_engine
def test_an_array_that_does_not_fit():
    ran = load("null:1000000x1000", "--launcher-args", SIZE)
    assert ran.status == 1 and ran.out == "" and "add to --launcher-args: --sysmem" in ran.err
    ran = load("null:1000000x1000", "--json", "--launcher-args", SIZE)
    fault = cli.parse(ran.err[ran.err.index('{"schema"') :])  # what Legate says comes before
    assert fault["status"] == "out of memory" and "--sysmem" in fault["message"]


@needs_engine
def test_where_the_package_is_not_installed(data):
    ran = load(data, "--launcher-args", SIZE, package="")
    assert ran.status == 1 and "without a result" in ran.err and "muster._command" in ran.err


def script(folder, text):
    path = folder / "legate"
    path.write_text(f"#!{sys.executable}\n{text}\n")
    path.chmod(0o755)
    return folder


def test_faults_are_told_before_anything_is_started(data, tmp_path):
    path = script(tmp_path, "import pathlib; pathlib.Path('started').touch()")
    broken = cli.npy_folder(tmp_path / "broken", [np.zeros((3, 2)), np.zeros((3, 4))])
    ran = cli.run("load", broken, "--backend=legate", env=environment(path=path), cwd=tmp_path)
    assert ran.status == 1 and "shard_1.npy" in ran.err and not (tmp_path / "started").exists()


def test_no_legate_anywhere(data):
    ran = cli.run("load", data, "--backend=legate", env=cli.CLEAN | {"PATH": "/nonexistent"})
    assert ran.status == 1 and "legate: is in no folder of PATH" in ran.err


@pytest.mark.parametrize(
    "text, words",
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "ended by signal 9"),
        ("raise SystemExit(7)", "ended with status 7 and without a result"),
        ("print('muster-result: {')", "legate"),
        ("import json; print('muster-result:', json.dumps({'rows': 7}))", "has 7 rows now: it was changed"),
    ],
)
def test_a_launcher_that_fails(data, tmp_path, text, words):
    ran = cli.run("load", data, "--backend=legate", env=environment(path=script(tmp_path, text)))
    assert ran.status == 1 and ran.out == "" and words in ran.err


def test_what_the_launcher_is_told(data, tmp_path):
    """Names and values arrive whole, and what else is printed is for the terminal."""
    text = "import json, sys; print('chatter'); print('muster-result:', json.dumps({'rows': 1, 'seconds': 1, 'where': 'here'})); json.dump(sys.argv, open('told', 'w'))"
    path = script(tmp_path, text)
    odd = cli.npy_folder(tmp_path / "a b\n'c", [np.zeros((3, 2))])
    arguments = ["--launcher-args", " --nodes 2  --launcher srun ", "--launcher-args=--gpus 4", "--stack", "--order=name"]
    ran = cli.run("load", odd, "--backend=legate", *arguments, env=environment(path=path), cwd=tmp_path)
    assert ran.status == 0 and "chatter" in ran.err and "chatter" not in ran.out and "here" in ran.out
    told = json.loads((tmp_path / "told").read_text())[1:]
    assert told[:6] == ["--nodes", "2", "--launcher", "srun", "--gpus", "4"]
    assert told[6:8] == ["--module", "muster._command"] and told[-2:] == ["--", str(odd)]
    assert "--stack" in told and "--order=name" in told and f"--rows=0:{2**63 - 1}" in told


# ---- signals, and what is left behind --------------------------------------------------------------

#: Notes its number and that of a process in a session of its own, as launchers start ranks.
LAUNCHER = """
import os, pathlib, signal, subprocess, sys, time
if {stubborn}:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
rank = subprocess.Popen(["sleep", "300"], start_new_session=True)
pathlib.Path("new").write_text(f"{{os.getpid()}} {{rank.pid}}")
os.rename("new", "pids")
time.sleep(300)
"""


def is_running(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_until(true, seconds=30):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def started(data, folder, stubborn=False, **options):
    """(the program, numbers of what it has started)."""
    path = script(folder, LAUNCHER.format(stubborn=stubborn))
    process = cli.start("load", data, "--backend=legate", env=environment(path=path), cwd=folder, **options)
    wait_until((folder / "pids").exists)
    return process, [int(pid) for pid in (folder / "pids").read_text().split()]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_all_that_was_started(data, tmp_path, number):
    process, pids = started(data, tmp_path)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert process.returncode == -number and out == b"" and b"muster" not in err
    assert not any(map(is_running, pids))


def test_who_does_not_end_when_asked_is_killed(data, tmp_path):
    process, pids = started(data, tmp_path, stubborn=True)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGTERM and not any(map(is_running, pids))


def test_a_signal_that_is_ignored_stays_so(data, tmp_path):
    ignore = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)  # noqa: E731 (as nohup does)
    process, pids = started(data, tmp_path, preexec_fn=ignore)
    process.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    assert process.poll() is None and all(map(is_running, pids))
    process.terminate()
    process.communicate(timeout=30)


def test_the_launcher_does_not_outlive_the_program(data, tmp_path):
    process, pids = started(data, tmp_path)
    process.kill()
    process.wait(30)
    try:
        wait_until(lambda: not is_running(pids[0]))
    finally:
        os.kill(pids[1], signal.SIGKILL)  # what a launcher of this kind leaves is its own affair
    process.communicate()


@pytest.mark.parametrize("chatter", ["sleep 300", "while :; do echo chatter; done"])
def test_output_that_is_kept_open_is_not_waited_for(data, tmp_path, chatter):
    text = (
        "import json, pathlib, subprocess\n"
        f"rank = subprocess.Popen(['sh', '-c', {chatter!r}], stderr=-3, start_new_session=True)\n"
        "pathlib.Path('pid').write_text(str(rank.pid))\n"
        "print('muster-result:', json.dumps({'rows': 2501, 'seconds': 1, 'where': 'here'}), flush=True)"
    )
    try:
        ran = cli.run("load", data, "--backend=legate", env=environment(path=script(tmp_path, text)), cwd=tmp_path)
    finally:
        os.killpg(int((tmp_path / "pid").read_text()), signal.SIGKILL)
    assert ran.status == 0 and "here" in ran.out


def descendants(pid):
    parents = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            pass
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found[1:]


@needs_engine
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_legate(number):
    process = cli.start(
        "load", "null:100000x1000", "--backend=legate", "--launcher-args", SIZE, env=environment()
    )
    wait_until(lambda: len(descendants(process.pid)) > 1)
    time.sleep(1)  # now Legate has started, or nearly so
    pids = descendants(process.pid)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == -number and not any(map(is_running, pids))

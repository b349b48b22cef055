# SPDX-License-Identifier: Apache-2.0
"""Running a program of cuPyNumeric on several ranks of this machine, without a GPU."""

import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time

from support import cli, env

ENGINE = env.SOURCE / ".venv-ranks"
MPI = env.SOURCE / ".venv-mpi"
DRIVER = env.BUILD / "tests/support/no_gpu"
RANK_MAIN = pathlib.Path(__file__).with_name("rank_main.py")

INSTALLED = all((folder / "stamp-multirank").exists() for folder in (ENGINE, MPI))
NOT_INSTALLED = "several ranks cannot be run: tools/setup.sh multirank (CPython 3.11, Linux x86_64)"

#: No program runs longer than this, whatever becomes of the test.
LIMIT = 300

#: Open MPI refuses to run as root, and more ranks than processors, unless it is told to. It makes a
#: session of its own, so it can only be ended by its number.
MPIRUN = f"""#!/bin/sh
echo $$ >mpirun.pid
exec timeout --kill-after=5 {LIMIT} "{MPI}/bin/mpirun" --allow-run-as-root --oversubscribe "$@"
"""


class TimedOut(Exception):
    """The program was still running; it has been ended. The message has the output of all ranks."""


@dataclasses.dataclass(frozen=True)
class Ran:
    status: int
    outputs: list[str]  # by rank
    launcher: str  # what legate and mpirun had to say

    @property
    def told(self):
        """By rank: the JSON objects that it printed, each on a line of its own, as one."""
        told = [{} for _ in self.outputs]
        for rank, output in enumerate(self.outputs):
            for line in output.splitlines():
                told[rank] |= json.loads(line) if line.startswith("{") else {}
        return told


def check_ranks(records, ranks):
    """
    That the program ran on this many ranks. Without a network the runtime does not fail: under
    mpirun every process is then the only rank of a program of its own.
    """
    assert [record["rank"] for record in records] == list(range(ranks)), records
    assert {record["ranks"] for record in records} == {ranks}, records
    assert len({record["pid"] for record in records}) == ranks, records


def library_path():
    packages = ENGINE / "lib/python3.11/site-packages"
    folders = [DRIVER, MPI / "lib", packages / "libucx/lib", packages / "cutensor/lib"]
    folders += sorted(packages.glob("nvidia/*/lib"))
    return ":".join(map(str, folders))


class Running:
    """
    A program, as a path or its text, on several ranks. It can import support, and what lies beside
    it. Not in env.SCRATCH: from memory the wrapper may not be run everywhere.
    """

    def __init__(self, program, ranks=2, cpus=1, sysmem=1000, arguments=()):
        assert (DRIVER / "libcuda.so.1").exists(), f"{DRIVER} is not built: make test-multirank"
        self._scratch = tempfile.TemporaryDirectory(prefix="muster-ranks-")
        self.folder, self.ranks = pathlib.Path(self._scratch.name), ranks
        mpirun = self.folder / "bin/mpirun"
        mpirun.parent.mkdir()
        mpirun.write_text(MPIRUN)
        mpirun.chmod(0o755)
        if "\n" in str(program):
            (self.folder / "program.py").write_text(program)
            program = self.folder / "program.py"
        options = f"--nodes 1 --ranks-per-node {ranks} --launcher mpirun --gpus 0"
        options += f" --cpus {cpus} --sysmem {sysmem}"
        command = [ENGINE / "bin/legate", *options.split(), RANK_MAIN, self.folder, program]
        with (self.folder / "launcher").open("wb") as launcher:
            self.process = subprocess.Popen(
                [*command, *arguments],
                env=self._environment(mpirun.parent),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=launcher,
                stderr=subprocess.STDOUT,
            )

    def _environment(self, wrapper):
        return cli.CLEAN | {
            "PATH": f"{wrapper}:{ENGINE / 'bin'}:{cli.CLEAN['PATH']}",
            "LD_LIBRARY_PATH": library_path(),
            "PYTHONPATH": f"{env.SOURCE}/tests:{env.BUILD}/python",
            "MUSTER_LIBRARY": str(env.LIBRARY),
            "UCX_LOG_LEVEL": "error",  # it warns of settings that Legate makes
        }

    def _read(self, name):
        path = self.folder / name
        return cli.decode(path.read_bytes()) if path.exists() else ""

    def output(self, rank):
        return self._read(f"{rank}.out")

    def show(self):
        outputs = [f"-- rank {rank}:\n{self.output(rank)}" for rank in range(self.ranks)]
        return "\n".join([*outputs, f"-- launcher:\n{self._read('launcher')}"])

    @property
    def records(self):
        """What the runtime said about each rank that got so far."""
        texts = [self._read(f"{rank}.json") for rank in range(self.ranks)]
        return [json.loads(text) for text in texts if text]

    def wait_for(self, rank, text, timeout=120):
        """Until the rank has printed this."""
        end = time.monotonic() + timeout
        while text not in self.output(rank):
            assert self.process.poll() is None, f"ended before {text!r}\n{self.show()}"
            if time.monotonic() > end:
                self.end()
                raise TimedOut(f"no {text!r} from rank {rank}\n{self.show()}")
            time.sleep(0.1)

    def end(self):
        """Ends everything; ranks die with the launcher."""
        if pid := self._read("mpirun.pid"):
            os.kill(int(pid), signal.SIGTERM)
        else:
            self.process.kill()
        self.process.wait(30)
        end = time.monotonic() + 10
        while any(pathlib.Path(f"/proc/{r['pid']}").exists() for r in self.records):
            assert time.monotonic() < end, f"ranks outlive the launcher: {self.records}"
            time.sleep(0.1)

    def wait(self, timeout=120):
        """Until the program has ended; it must have run on as many ranks as were asked for."""
        try:
            status = self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.end()
            raise TimedOut(f"still running after {timeout} s\n{self.show()}") from None
        assert len(self.records) == self.ranks, f"not all ranks have started\n{self.show()}"
        check_ranks(self.records, self.ranks)
        outputs = [self.output(rank) for rank in range(self.ranks)]
        return Ran(status, outputs, self._read("launcher"))


def run(program, timeout=120, **options):
    """Whatever its status is."""
    return Running(program, **options).wait(timeout)


def ok(program, timeout=120, **options):
    running = Running(program, **options)
    ran = running.wait(timeout)
    assert ran.status == 0, running.show()
    return ran

# SPDX-License-Identifier: Apache-2.0
"""Assesses packages with muster, and prints how it compares with other readers. See README.md."""

import collections
import dataclasses
import json
import os
import pathlib
import platform
import random
import statistics
import subprocess
import sys
import sysconfig
import tempfile

import table
from support import env

CPUS = len(os.sched_getaffinity(0))
MB = 10**6
SITE = pathlib.Path(sysconfig.get_path("purelib"))
STDLIB = pathlib.Path(sysconfig.get_path("stdlib"))
BINARIES = pathlib.Path(sysconfig.get_path("scripts"))

# ---- measuring -------------------------------------------------------------------------------------

# A process inherits its parent's peak until it is another program; so the parent must be small.
MEASURE = """
import os, sys, time
quiet = [(os.POSIX_SPAWN_OPEN, 1, sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)]
begin = time.perf_counter()
child = os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ, file_actions=quiet)
_, status, usage = os.wait4(child, 0)
print(time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)
sys.exit(status != 0)
"""


@dataclasses.dataclass
class Time:
    wall: float
    cpu: float  # user and system
    peak: float  # bytes of memory


def measure(command, environment=(), output=os.devnull):
    launcher = [sys.executable, "-IS", "-c", MEASURE, output, *map(str, command)]
    printed = subprocess.check_output(launcher, env=os.environ | dict(environment))
    return Time(*map(float, printed.split()))


# ---- what is compared ------------------------------------------------------------------------------


@dataclasses.dataclass
class Tree:
    """Python files below a folder, or one file; and what muster says of each."""

    name: str
    path: pathlib.Path
    options: tuple = ("--no-ignore",)  # it lies in a virtual environment

    def look(self):
        command = [env.PROGRAM, "assess", *self.options, "--format=json", self.path]
        found = json.loads(subprocess.check_output(command))["files"]
        self.status = collections.Counter(file["status"] for file in found)
        self.reasons = collections.Counter(
            file["reason"] for file in found if file["status"] == "not assessed"
        )
        named = [file["path"] for file in found if file["status"] == "assessed"]
        # The bare parse is of Python: of a notebook there is no text to hand it.
        parsed = [path for path in named if not path.endswith(".ipynb")]
        self.bytes = sum(os.path.getsize(path) for path in parsed)
        self.list = tempfile.NamedTemporaryFile("w", prefix="muster-bench-", suffix=".list")
        self.list.writelines(f"{path}\n" for path in parsed)
        self.list.flush()


def muster(tree, threads):
    return measure([env.PROGRAM, "assess", *tree.options, "--quiet", f"-j{threads}", tree.path])


def written_as(format):
    """The same with a report of this format, into a file."""

    def run(tree, threads):
        with tempfile.NamedTemporaryFile(prefix="muster-bench-") as report:
            options = [*tree.options, "--quiet", f"-j{threads}", f"--format={format}"]
            return measure([env.PROGRAM, "assess", *options, "-o", report.name, tree.path])

    return run


def bare_parse(tree, threads, program="bench-parse"):
    """The parse alone, as the program clocks it: neither its start nor reading the files."""
    with tempfile.NamedTemporaryFile(prefix="muster-bench-") as output:
        command = [env.BUILD / program, threads, tree.list.name]
        peak = measure(command, output=output.name).peak
        wall, cpu, _ = map(float, output.read().split())
    return Time(wall, cpu, peak)


def our_parse(tree, threads):
    return bare_parse(tree, threads, "bench-parse-ours")


def ruff(tree, threads):
    """The default rules, on the files that muster finds."""
    same_files = ["--config", 'include = ["*.py", "*.pyw", "*.ipynb"]']
    if "--no-ignore" in tree.options:
        same_files += ["--no-respect-gitignore", "--config", "exclude = []"]
    options = ["--isolated", "--no-cache", "--exit-zero", "--quiet", "--output-format=concise"]
    command = [BINARIES / "ruff", "check", *options, *same_files, tree.path]
    return measure(command, {"RAYON_NUM_THREADS": str(threads)})


def pylint(tree, threads):
    options = ["--rcfile=", "--persistent=n", "--disable=all", "--enable=W", "--exit-zero"]
    return measure([sys.executable, "-m", "pylint", *options, f"-j{threads}", tree.path])


@dataclasses.dataclass
class Side:
    name: str
    run: callable
    target: float | None = None  # how many times as fast muster shall be, at least
    rounds: int | None = None  # at most
    times: list = dataclasses.field(default_factory=list)

    def median(self, figure):
        return statistics.median(getattr(time, figure) for time in self.times)


def against_parse():
    return [Side("bare parse", bare_parse, 1 / 1.5), Side("mst_syntax_parse", our_parse)]


class Case:
    def __init__(self, tree, threads, *sides, often=1, ours=muster):
        self.tree, self.threads, self.often = tree, threads, often
        self.sides = [Side("muster", ours), *sides]
        self.name = f"{tree.name}, -j{threads}"

    def run(self, rounds):
        self.tree.look()
        for side in self.sides:
            if side.rounds is None:
                side.run(self.tree, self.threads)  # warms the cache
        for turn in range(rounds * self.often):
            for side in random.Random(turn).sample(self.sides, len(self.sides)):
                if len(side.times) < (side.rounds or rounds * self.often):
                    side.times.append(side.run(self.tree, self.threads))

    def title(self):
        status = self.tree.status
        return (
            f"{self.name}: {status['assessed']:,} of {status.total():,} files assessed, "
            f"{self.tree.bytes / MB:.3g} MB"
        )

    def ratios(self, side):
        ours = [time.wall for time in self.sides[0].times]
        if side.rounds is not None:
            ours = [statistics.median(ours)] * side.rounds
        return [theirs.wall / our for theirs, our in zip(side.times, ours)]

    def rows(self):
        refused = self.tree.status["not assessed"]
        for side in self.sides:
            row = Row(self.name, side.name, times=side.times)
            row.wall, row.cpu = (seconds(side.median(figure)) for figure in ("wall", "cpu"))
            row.peak = f"{side.median('peak') / MB:.0f} MB"
            # The parse of only some of the files is no measure for muster's look at all of them.
            if side is not self.sides[0] and not (refused and side.run is bare_parse):
                row.compare(self.ratios(side), side.target)
            yield row
        if refused:
            yield Row(self.name, "files not assessed", f"{refused:,}", target="0", met=False)

    def notes(self):
        for reason, count in self.tree.reasons.most_common(3):
            yield f"{self.name}: not assessed, {count:,} files: {reason}"


def cases(quick):
    threads = sorted({1, CPUS})
    package = Tree("scikit-image", SITE / "skimage")
    for tree in [package] if quick else [package, Tree("scipy", SITE / "scipy")]:
        for count in threads:
            yield Case(tree, count, *against_parse(), Side("ruff check", ruff))
    for format in [] if quick else ["html", "sarif"]:
        large = Tree(f"scipy as {format}", SITE / "scipy")
        json_alone = Side("muster, as json", written_as("json"), 1 / 1.3)
        yield Case(large, 1, json_alone, ours=written_as(format))
    small = [
        Tree("one program of 200 lines", SITE / "skimage/filters/_gabor.py"),
        Tree("a project of a few files", env.SOURCE / "examples/wave"),
    ]
    for tree in small:
        yield Case(tree, 1, Side("mst_syntax_parse", our_parse), Side("ruff check", ruff), often=4)
    mixed = [
        Tree("pygments", SITE / "pygments"),
        Tree("the standard library", STDLIB, ()),
        Tree("all of site-packages", SITE),
    ]
    for tree in mixed[:1] if quick else mixed:
        for count in threads:
            yield Case(tree, count, Side("bare parse", bare_parse), Side("ruff check", ruff, 1))
    if not quick:
        part = Tree("skimage.morphology", SITE / "skimage/morphology")
        yield Case(part, 1, Side("pylint, warnings, once", pylint, 500, rounds=1))


# ---- the table -------------------------------------------------------------------------------------


@dataclasses.dataclass
class Row(table.Compared):
    case: str
    side: str
    wall: str = ""
    cpu: str = ""
    peak: str = ""
    times: list = dataclasses.field(default_factory=list)


def seconds(value):
    return f"{value * 1000:.1f} ms" if value < 0.1 else f"{value:.2f} s"


def version(command):
    return subprocess.check_output(command, text=True).splitlines()[0]


def machine():
    ours = version([env.PROGRAM, "--version"])
    peers = [version([BINARIES / name, "--version"]) for name in ("ruff", "pylint")]
    load = f"{CPUS} CPUs, Linux {platform.release()}, load average {os.getloadavg()[0]:.1f}"
    return f"{', '.join([ours, *peers])}; {load}"


def show(title, rows):
    """One case. The widths are fixed, so that each can be printed when it is done."""
    print(title)
    for row in rows:
        figures = f"{row.wall:>9}{row.cpu:>10}{row.peak:>9}"
        print(f"  {row.side:23}{figures}  {row.ratio:24}{row.target:11}{row.mark}".rstrip())
    print(flush=True)


def main():
    options = table.options("bench/run.sh assess", __doc__, 5, "small trees only")
    print(table.header(machine(), options.rounds, "side"))
    show("case", [
        Row("", "side", "wall", "user+sys", "peak", ratio="muster is", target="target")
    ])
    rows, notes = [], []
    for case in cases(options.quick):
        if options.only not in case.name:
            continue
        case.run(options.rounds)
        rows += (new := list(case.rows()))
        notes += case.notes()
        show(case.title(), new)
    table.finish(options, machine(), [table.targets_met(rows), *notes], rows)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Loads the same data into cuPyNumeric arrays in several ways, within one process of Legate. See README.md."""

import dataclasses
import os
import pathlib
import random
import runpy
import statistics
import subprocess
import sys
import tempfile
import time

import cupynumeric as cn
import numpy as np
import table
from legate.core import get_legate_runtime

import muster

BUILD = pathlib.Path(os.environ["MUSTER_BUILD"])
PROGRAM = BUILD / "muster"
FOLDER = pathlib.Path(os.environ.get("MUSTER_BENCH_DIR") or BUILD / "bench-data")
CPUS = get_legate_runtime().get_machine().count()
GB = 10**9


def written(name, shards, rows, width, *options):
    folder = FOLDER / f"{name}-{shards}x{rows}x{width}"
    if not folder.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        sizes = [f"--shards={shards}", f"--rows={rows}", f"--row-shape={width}"]
        command = [PROGRAM, "write", folder, *sizes, "--seed=1", "--quiet", *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder


# ---- ways to load ----------------------------------------------------------------------------------


def fence():
    get_legate_runtime().issue_execution_fence(block=True)


def files(folder):
    return sorted(folder.glob("*.npy"))


def with_muster(data):
    return muster.load(data.folder, backend="cupynumeric", progress=False)


def with_recipe(data):
    """What `muster recipe` prints: each tile is copied out of mapped files, which are looked at first."""
    data.recipe["find_rows"]()
    return data.recipe["load"]()


def with_cupynumeric(data):
    array = cn.concatenate([cn.load(str(file)) for file in files(data.folder)])
    fence()
    return array


def with_numpy(data):
    array = cn.asarray(np.concatenate([np.load(file) for file in files(data.folder)]))
    fence()
    return array


def with_threads(data):
    return muster.load(data.folder, backend="numpy", progress=False, threads=CPUS)


class Data:
    def __init__(self, name, folder):
        self.name, self.folder = name, folder
        self.is_many = len(files(folder)) > 100
        self.bytes = muster.open(folder).nbytes
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / "recipe.py"
            text = subprocess.run([PROGRAM, "recipe", folder], check=True, capture_output=True).stdout
            path.write_bytes(text)
            self.recipe = runpy.run_path(str(path))

    def check(self, array):
        """Some cells of each shard, by NumPy."""
        whole = np.asarray(array)
        first = 0
        for file in files(self.folder):
            shard = np.load(file, mmap_mode="r")
            assert np.array_equal(whole[first : first + len(shard) : 97], shard[::97]), file
            first += len(shard)
        assert first == len(whole)


def settle(data):
    """Free memory that the machine really has: its host is slow to return what it took back."""
    np.ones(2 * data.bytes, np.uint8)


# ---- cases -----------------------------------------------------------------------------------------


@dataclasses.dataclass
class Side:
    name: str
    load: callable
    seconds: list = dataclasses.field(default_factory=list)


class Case:
    """Fresh memory: arrays are kept, so that every one lies where nothing has been before."""

    def __init__(self, data, is_fresh):
        self.data, self.is_fresh = data, is_fresh
        self.name = f"{data.name}, {'fresh' if is_fresh else 'reused'} memory"
        self.sides = [
            Side("muster", with_muster),
            Side("muster recipe", with_recipe),
            Side("cupynumeric.load + concatenate", with_cupynumeric),
            Side("np.load + cn.asarray", with_numpy),
            Side("muster, backend numpy", with_threads),
        ]
        if is_fresh:
            self.sides = self.sides[:2]
        elif data.is_many:  # one task and one array for each of thousands of files: many minutes
            self.sides = [side for side in self.sides if side.load is not with_cupynumeric]

    def target(self, side):
        if side.load is with_recipe:
            return 1.4 if self.is_fresh else 10 if self.data.is_many else 0.95
        if side.load is with_threads:
            return None if self.data.is_many else 0.85
        return 1

    def run(self, rounds):
        kept = []
        for side in [] if self.is_fresh else self.sides:
            self.data.check(side.load(self.data))
        for turn in range(rounds):
            for side in random.Random(turn).sample(self.sides, len(self.sides)):
                settle(self.data)
                fence()
                begin = time.perf_counter()
                array = side.load(self.data)
                side.seconds.append(time.perf_counter() - begin)
                if self.is_fresh:
                    kept.append(array)
                del array

    def rows(self):
        ours = self.sides[0]
        for side in self.sides:
            rate = self.data.bytes / statistics.median(side.seconds) / GB
            row = Row(self.name, side.name, f"{rate:.2f} GB/s", side.seconds)
            if side is not ours:
                ratios = [theirs / our for theirs, our in zip(side.seconds, ours.seconds)]
                row.compare(ratios, self.target(side))
            yield row


@dataclasses.dataclass
class Row(table.Compared):
    case: str
    side: str
    result: str = ""
    seconds: list = dataclasses.field(default_factory=list)


def show(rows):
    print(rows[0].case)
    for row in rows:
        line = f"  {row.side:31}{row.result:>12}  {row.ratio:26}{row.target:11}{row.mark}"
        print(line.rstrip())
    print(flush=True)


def main():
    options = table.options("bench/run.sh legate", __doc__, 7, "little data")
    scale = 16 if options.quick else 1
    large = Data("8 shards", written("large", 8, 500_000 // scale, 256))
    many = Data(f"{4096 // scale:,} shards", written("many", 4096 // scale, 2**21 // scale, 64, "--equal"))
    machine = f"muster {muster.__version__}, {CPUS} processors of Legate, load {os.getloadavg()[0]:.1f}"
    print(table.header(machine, options.rounds, "way"))
    rows = []
    # Fresh memory first: later on there is none left that nobody has used.
    for case in [Case(large, True), Case(large, False), Case(many, False)]:
        if options.only in case.name:
            case.run(options.rounds)
            rows += case.rows()
            show(rows[-len(case.sides) :])
    table.finish(options, machine, [table.targets_met(rows)], rows)


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Loads the same data with muster and in other ways, and prints one table. See README.md."""

import bisect
import concurrent.futures
import dataclasses
import functools
import gc
import itertools
import math
import os
import pathlib
import platform
import random
import shutil
import statistics
import subprocess
import sys
import time

import dask
import dask.array
import limits
import numpy as np
import table
from support import env, libmuster

FOLDER = pathlib.Path(os.environ.get("MUSTER_BENCH_DIR") or env.BUILD / "bench-data")
CPUS = limits.CPUS
GB, MIB = 10**9, 2**20


# ---- data ------------------------------------------------------------------------------------------


def written(name, shards, rows, width, *options):
    """A folder of float32 npy shards. `muster write` renames it into place, so it is complete."""
    folder = FOLDER / f"{name}-{shards}x{rows}x{width}"
    if not folder.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        sizes = [f"--shards={shards}", f"--rows={rows}", f"--row-shape={width}"]
        command = [env.PROGRAM, "write", folder, *sizes, "--seed=1", "--quiet", *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        os.sync()  # only what lies on disk can be thrown out of the page cache
    return folder


class Data:
    """A dataset, and where its bytes lie, for the loop that need not find that out."""

    def __init__(self, name, folder):
        self.name, self.folder = name, folder
        self.files = files(folder)
        self.rows, offsets, sizes = [], [], []
        for file in self.files:
            shard = np.load(file, mmap_mode="r")
            self.rows.append(len(shard))
            offsets.append(shard.offset)
            sizes.append(shard.nbytes)
        self.is_many = len(self.files) > 100
        self.shape, self.dtype = (sum(self.rows), *shard.shape[1:]), shard.dtype
        self.bytes = sum(sizes)
        self.pieces = limits.Pieces(self.files, offsets, sizes)
        with libmuster.Dataset(folder) as dataset:
            self.checksum = dataset.load(to="null", checksum=True)[1].checksum

    def evict(self):
        """Out of the page cache; returns how many bytes stay there all the same."""
        return limits.evict(self.files)

    def check(self, array):
        """By muster's checksum of every byte, and by NumPy's own view of some rows."""
        assert array.shape == self.shape and array.dtype == self.dtype
        assert libmuster.checksum(array) == self.checksum, "another array"
        first = 0
        samples = random.Random(1).sample(range(len(self.files)), 8)
        for index, rows in enumerate(self.rows):
            if index in samples:
                shard = np.load(self.files[index], mmap_mode="r")
                assert np.array_equal(array[first : first + rows : 7], shard[::7]), "other rows"
            first += rows


# ---- ways to load: from the folder to the array ----------------------------------------------------


def muster(data, out, populate, direct="never", **options):
    with libmuster.Dataset(data.folder, direct=direct) as dataset:
        dataset.load(into=out, populate=populate, **{"checksum": False} | options)
    return out


def pread(data, out, populate):
    """The limit: paths, offsets and sizes are known beforehand."""
    data.pieces.read(out, populate)
    return out


def files(folder):
    return sorted(folder.glob("*.npy"))


def in_threads(function, *arguments):
    with concurrent.futures.ThreadPoolExecutor(CPUS) as pool:
        list(pool.map(function, *arguments))


def concatenate(data, out, _):
    return np.concatenate([np.load(file) for file in files(data.folder)], out=out)


def map_and_copy(data, out, _):
    """The usual recipe: a table of rows, then each thread copies its tile out of mapped files."""
    paths, first = files(data.folder), [0]
    for path in paths:
        first.append(first[-1] + len(np.load(path, mmap_mode="r")))

    def copy_tile(lo, hi):
        for i in range(bisect.bisect_right(first, lo) - 1, len(paths)):
            begin, end = max(lo, first[i]), min(hi, first[i + 1])
            if begin >= hi:
                break
            shard = np.load(paths[i], mmap_mode="r")
            out[begin:end] = shard[begin - first[i] : end - first[i]]

    cuts = [first[-1] * i // CPUS for i in range(CPUS + 1)]
    in_threads(copy_tile, cuts[:-1], cuts[1:])
    return out


def read_into(data, out, _):
    """Headers first, then each file straight to its place."""
    paths, first, offsets = files(data.folder), [0], []
    for path in paths:
        with open(path, "rb") as file:
            np.lib.format.read_magic(file)
            shape, *_ = np.lib.format.read_array_header_1_0(file)
            first.append(first[-1] + shape[0])
            offsets.append(file.tell())

    def read_shard(path, offset, begin, end):
        with open(path, "rb", buffering=0) as file:
            file.seek(offset)
            assert file.readinto(out[begin:end]) == out[begin:end].nbytes

    in_threads(read_shard, paths, offsets, first[:-1], first[1:])
    return out


def with_dask(data, *_):
    shards = []
    for path in files(data.folder):
        shard = np.load(path, mmap_mode="r")
        load = dask.delayed(np.load)(path)
        shards.append(dask.array.from_delayed(load, shard.shape, shard.dtype))
    return dask.array.concatenate(shards).compute(scheduler="threads", num_workers=CPUS)


PEERS = (concatenate, map_and_copy, read_into, with_dask)

# ---- cases -----------------------------------------------------------------------------------------


def fresh(shape, dtype, huge=True):
    return limits.fresh(math.prod(shape) * dtype.itemsize, huge).view(dtype).reshape(shape)


def settle(data):
    """
    The same start for all: no garbage, and free memory that the machine really has. The host of a
    virtual machine may have taken free pages back, and is slow to return them: so they are used.
    """
    gc.collect()
    fresh((2, *data.shape), data.dtype).fill(0)


@dataclasses.dataclass
class Side:
    name: str
    load: callable
    huge: bool = True  # fresh memory: in huge pages, as np.empty asks for; None: it makes its own
    populate: bool = True  # fresh memory: by MADV_POPULATE_WRITE, where the side can
    seconds: list = dataclasses.field(default_factory=list)

    @property
    def median(self):
        return statistics.median(self.seconds)


def sides(is_fresh, **options):
    ours = functools.partial(muster, **options)
    limits = [
        Side("pread", pread, huge=False, populate=False),
        Side("pread, populated", pread, huge=False),
        Side("pread, huge pages populated", pread),
    ]
    return [
        Side("muster", ours, huge=False),
        Side("muster with checksum", functools.partial(ours, checksum=True), huge=False),
        *(limits if is_fresh else limits[:1]),
        Side("np.load + np.concatenate", concatenate, huge=None),
        Side("np.load(mmap) + copy", map_and_copy),
        Side("readinto", read_into),
        Side("dask", with_dask, huge=None),
    ]


class Case:
    def __init__(self, data, is_cold, is_fresh, direct="never"):
        self.data, self.is_cold, self.is_fresh = data, is_cold, is_fresh
        cache, memory = "cold" if is_cold else "warm", "fresh" if is_fresh else "reused"
        self.name = f"{data.name}, {cache}, {memory} memory"
        if direct != "never":
            self.name += f", --direct={direct}"
        self.sides = sides(is_fresh, direct=direct)
        self.still_cached = 0  # bytes, at most

    def time(self, side, buffer, checked=False):
        settle(self.data)
        out = buffer
        if self.is_fresh:
            out = None if side.huge is None else fresh(self.data.shape, self.data.dtype, side.huge)
        if self.is_cold:
            self.still_cached = max(self.still_cached, self.data.evict())
        begin = time.perf_counter()
        array = side.load(self.data, out, self.is_fresh and side.populate)
        seconds = time.perf_counter() - begin
        if checked:
            self.data.check(array)
        return seconds

    def run(self, rounds):
        buffer = None if self.is_fresh else np.empty(self.data.shape, self.data.dtype)
        for side in [] if self.is_cold else self.sides:
            if buffer is not None:
                buffer.fill(0)
            self.time(side, buffer, checked=True)
        if buffer is not None:
            buffer.fill(0)
        for turn in range(rounds):
            for side in random.Random(turn).sample(self.sides, len(self.sides)):
                side.seconds.append(self.time(side, buffer))

    def target(self, side):
        """How many times as fast as the side muster shall be, at least; None: nothing is asked."""
        if side.load in PEERS:
            is_plain = not self.is_cold and not self.is_fresh
            return 10 if side.load is map_and_copy and self.data.is_many and is_plain else 1
        limits = [side for side in self.sides if side.load is pread]
        if self.data.is_many or side is not min(limits, key=lambda side: side.median):
            return None
        return 0.85 if self.is_cold else 0.9

    def rows(self):
        ours = self.sides[0]
        for side in self.sides:
            row = Row(self.name, side.name, f"{self.data.bytes / side.median / GB:.2f} GB/s")
            row.seconds = side.seconds
            if side is not ours:
                ratios = [theirs / our for theirs, our in zip(side.seconds, ours.seconds)]
                row.compare(ratios, self.target(side))
            yield row


# ---- other figures ---------------------------------------------------------------------------------


def inspect(shards, rounds):
    folder = written("tiny", shards, shards * 16, 16, "--equal")
    seconds = []
    for _ in range(rounds + 1):  # the first one warms the cache
        begin = time.perf_counter()
        subprocess.run([env.PROGRAM, "inspect", folder], check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - begin)
    median = statistics.median(seconds[1:])
    row = Row(f"{shards:,} shards, warm, whole process", "muster inspect", f"{median:.3f} s")
    row.target, row.met, row.seconds = "< 2 s", median < 2, seconds[1:]
    return row


# A process inherits its parent's peak until it is another program; so the parent must be small.
PEAK = """
import os, sys
quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=quiet)
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss)
sys.exit(status != 0)
"""


def peak_memory(total):
    row = Row(f"16 shards, {total / GB:.1f} GB, muster load --to null", "peak memory", target="< 64 MiB")
    FOLDER.mkdir(parents=True, exist_ok=True)
    if shutil.disk_usage(FOLDER).free < 2.5 * total:
        row.result = "skipped: the disk is too full"
        return row
    folder = written("temporary", 16, total // 4096, 1024)
    try:
        load = [env.PROGRAM, "load", folder, "--to=null", f"-j{CPUS}"]
        printed = subprocess.check_output([sys.executable, "-IS", "-c", PEAK, *load])
    finally:
        subprocess.run([env.PROGRAM, "clean", folder, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    peak = int(printed) * 1024 / CPUS
    row.result, row.met = f"{peak / MIB:.1f} MiB a thread", peak < 64 * MIB
    return row


# ---- the table -------------------------------------------------------------------------------------


@dataclasses.dataclass
class Row(table.Compared):
    case: str
    side: str
    result: str = ""
    seconds: list = dataclasses.field(default_factory=list)


def machine():
    huge = pathlib.Path("/sys/kernel/mm/transparent_hugepage/enabled")
    pages = huge.read_text().split("[")[1].split("]")[0] if huge.exists() else "unknown"
    return (
        f"muster {libmuster.lib().muster_version().decode()}, NumPy {np.__version__}, "
        f"dask {dask.__version__}; {CPUS} CPUs, Linux {platform.release()}, "
        f"transparent huge pages: {pages}, load average {os.getloadavg()[0]:.1f}"
    )


def show(rows):
    """One case. The widths are fixed, so that each can be printed when it is done."""
    print(rows[0].case)
    for row in rows:
        line = f"  {row.side:29}{row.result:>18}  {row.ratio:26}{row.target:11}{row.mark}"
        print(line.rstrip())
    print(flush=True)


def summary(rows, cases):
    yield table.targets_met(rows)
    if cold := [case for case in cases if case.is_cold]:
        share = max(case.still_cached / case.data.bytes for case in cold)
        yield f"cold: POSIX_FADV_DONTNEED; mincore found at most {share:.1%} of the data still cached"


def main():
    options = table.options("bench/run.sh", __doc__, 7, "little data")
    scale = 16 if options.quick else 1
    few = written("few", 16, 1_000_000 // scale, 256)
    many = written("many", 4096 // scale, 2**21 // scale, 64, "--equal")
    datasets = [Data("16 shards", few), Data(f"{4096 // scale:,} shards", many)]
    cases = [Case(*of) for of in itertools.product(datasets, [False, True], [False, True])]
    cases += [Case(datasets[0], True, is_fresh, "always") for is_fresh in [False, True]]
    cases = [case for case in cases if options.only in case.name]
    print(table.header(machine(), options.rounds, "way"))
    show([Row("case", "way to load", "rate", ratio="muster is", target="target")])
    gc.disable()
    rows = []
    for case in cases:
        case.run(options.rounds)
        rows += case.rows()
        show(rows[-len(case.sides) :])
    if not options.only:
        for row in [inspect(10_000 // scale, options.rounds), peak_memory(4 * GB // scale)]:
            rows.append(row)
            show([row])
    table.finish(options, machine(), list(summary(rows, cases)), rows)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""Loads files of other formats with muster and with their own readers, and prints one table.

Each bench/formats_NAME.py has CASES, a list of Case.
"""

import dataclasses
import gc
import importlib
import os
import pathlib
import random
import shutil
import statistics
import time
from collections.abc import Callable

import limits
import numpy as np
import table
from support import env, libmuster

FOLDER = pathlib.Path(os.environ.get("MUSTER_BENCH_DIR") or env.BUILD / "bench-data")


@dataclasses.dataclass
class Case:
    name: str
    write: Callable  # (path, rows): a file of that many rows
    rows: int
    suffix: str
    peers: dict  # name -> function (path -> array); the first one says what is right
    target: float | None = 2.0  # times the fastest peer
    of_limit: float | None = None  # of what pread gives
    codec: str = ""  # of limits.Codec
    pieces: Callable | None = None  # path -> its limits.Compressed
    of_codec: float | None = 0.9  # of what the bare codec gives
    state: str = ""  # "cold" or "fresh": only muster and pread

    @property
    def title(self):
        states = {"": "", "cold": ", cold", "fresh": ", fresh memory"}
        return self.name + states[self.state]


def also(case, state, of_limit):
    """The same file, not in the page cache, or into memory that was not touched."""
    return dataclasses.replace(case, state=state, of_limit=of_limit, pieces=None)


@dataclasses.dataclass(kw_only=True)
class Row(table.Compared):
    case: str
    side: str
    rate: float
    seconds: list


def written(case, rows):
    path = FOLDER / f"{case.name.replace(' ', '-').replace(',', '')}-{rows}{case.suffix}"
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        half = path.with_name(f"half-{path.name}")
        if half.is_dir():
            shutil.rmtree(half)
        case.write(half, rows)
        half.rename(path)
        os.sync()  # only what lies on disk can be thrown out of the page cache
    return path


def load_muster(path, into, populate=False):
    with libmuster.Dataset(path, direct="never") as dataset:
        dataset.load(into=into, threads=limits.CPUS, checksum=False, populate=populate)


def any_bytes(files, nbytes):
    """As many bytes of the files, in whole pages, as the array has: what copying them costs at least."""
    whole = [file.stat().st_size // limits.PAGE * limits.PAGE for file in files]
    ends = np.minimum(np.cumsum(whole), nbytes)
    return limits.Pieces(files, [0] * len(files), map(int, np.diff(ends, prepend=0)))


class Measured:
    """A case with its file, and the ways to load it."""

    def __init__(self, case, rows):
        self.case, self.path = case, written(case, rows)
        inside = sorted(file for file in self.path.rglob("*") if file.is_file())
        self.files = inside if self.path.is_dir() else [self.path]
        with libmuster.Dataset(self.path) as dataset:
            self.shape, self.dtype = dataset.shape, dataset.dtype
        self.into = np.zeros(self.shape, self.dtype)
        self.check()
        self.sides = {"muster": self.muster} | (self.usual() if case.state == "" else self.bare())
        self.seconds = {name: [] for name in self.sides}

    def check(self):
        wanted = next(iter(self.case.peers.values()))(self.path)
        load_muster(self.path, self.into)
        assert np.array_equal(self.into, wanted), f"{self.case.name}: not what its own reader gives"

    def muster(self, into):
        load_muster(self.path, into, self.case.state == "fresh")

    def bare(self):
        """The limits."""
        pieces = any_bytes(self.files, self.into.nbytes - limits.PAGE)
        sides = {"pread": lambda into: pieces.read(limits.from_page(into))}
        if self.case.state == "fresh":
            sides["pread, populated"] = lambda into: pieces.read(limits.from_page(into), True)
        return sides

    def usual(self):
        sides = self.bare() if self.case.of_limit is not None else {}
        if self.case.pieces is not None:
            codec = limits.Codec(self.case.codec, self.case.pieces(self.path))
            sides[f"bare {self.case.codec}"] = lambda _: codec.decode()
        for name, peer in self.case.peers.items():
            sides[name] = lambda _, peer=peer: peer(self.path)
        return sides

    def time(self, name):
        gc.collect()
        into = self.into
        if self.case.state == "fresh":
            limits.fresh(2 * into.nbytes).fill(0)  # README.md says why
            into = limits.fresh(into.nbytes, huge=False).view(self.dtype).reshape(self.shape)
        if self.case.state == "cold":
            limits.evict(self.files)
        begin = time.perf_counter()
        self.sides[name](into)
        self.seconds[name].append(time.perf_counter() - begin)

    def run(self, rounds):
        for turn in range(rounds):
            for name in random.Random(turn).sample(list(self.sides), len(self.sides)):
                self.time(name)

    def median(self, name):
        return statistics.median(self.seconds[name])

    def target(self, name):
        """How many times as fast as the side muster shall be, at least; None: nothing is asked."""
        case, bare = self.case, f"bare {self.case.codec}"
        if name == bare:
            return case.of_codec
        group = [side for side in self.sides if side in case.peers]
        if name not in case.peers:
            group = [side for side in self.sides if side.startswith("pread")]
        if name != min(group, key=self.median):
            return None
        if name not in case.peers:
            return case.of_limit
        if case.target is None or bare not in self.sides or case.of_codec is None:
            return case.target
        # Nobody decodes faster than the codec.
        return min(case.target, case.of_codec * self.median(name) / self.median(bare))

    def rows(self):
        ours = self.seconds["muster"]
        for name, seconds in self.seconds.items():
            rate = self.into.nbytes / self.median(name) / 1e9
            row = Row(case=self.case.title, side=name, rate=rate, seconds=seconds)
            if name != "muster":
                ratios = [their / our for their, our in zip(seconds, ours, strict=True)]
                row.compare(ratios, self.target(name))
            yield row


def main():
    given = table.options("bench/run.sh formats", __doc__.splitlines()[0], 7, "a tenth of the rows")
    machine = f"muster {libmuster.lib().muster_version().decode()}; {limits.CPUS} CPUs"
    print(table.header(machine, given.rounds, "side"))
    print(f"{'case':34}{'side':24}{'GB/s':>8}  muster is")
    rows = []
    for module in sorted(pathlib.Path(__file__).parent.glob("formats_*.py")):
        for case in importlib.import_module(module.stem).CASES:
            if given.only not in case.title:
                continue
            measured = Measured(case, case.rows // 10 if given.quick else case.rows)
            measured.run(given.rounds)
            for row in measured.rows():
                rows.append(row)
                line = f"{row.case:34}{row.side:24}{row.rate:8.2f}  {row.ratio:26}{row.target:11}{row.mark}"
                print(line.rstrip(), flush=True)
    table.finish(given, machine, [table.targets_met(rows)], rows)


if __name__ == "__main__":
    import formats  # so that the parts see the same Case

    formats.main()

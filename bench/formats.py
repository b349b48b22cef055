# SPDX-License-Identifier: Apache-2.0
"""Loads files of other formats with muster and with their own readers, and prints one table.

Each bench/formats_NAME.py has CASES, a list of Case.
"""

import ctypes as c
import dataclasses
import gc
import importlib
import os
import pathlib
import statistics
import time
from collections.abc import Callable

import numpy as np
import table
from support import env, libmuster

FOLDER = pathlib.Path(os.environ.get("MUSTER_BENCH_DIR") or env.BUILD / "bench-data")
CPUS = len(os.sched_getaffinity(0))


@dataclasses.dataclass
class Case:
    name: str
    write: Callable  # (path, rows): a file of that many rows
    rows: int
    suffix: str
    peers: dict  # name -> function (path -> array)
    target: float = 2.0  # times the fastest peer
    of_limit: float | None = None  # of what pread gives


@dataclasses.dataclass(kw_only=True)
class Row(table.Compared):
    case: str
    side: str
    rate: float


def load_muster(path, into):
    with libmuster.Dataset(path) as dataset:
        dataset.load(into=into, threads=CPUS, checksum=False)


def pread(limit, path, into):
    """Any bytes of the file, as many as the array has: what copying them costs at least."""
    length = min(into.nbytes, path.stat().st_size)
    paths = (c.c_char_p * 1)(os.fsencode(path))
    offsets, sizes = (c.c_uint64 * 1)(0), (c.c_uint64 * 1)(length)
    limit.bench_pread(paths, offsets, sizes, 1, into.ctypes.data, CPUS, False)


def seconds(function):
    gc.collect()
    begin = time.perf_counter()
    function()
    return time.perf_counter() - begin


def run(case, given, limit):
    rows = case.rows // 10 if given.quick else case.rows
    path = FOLDER / f"{case.name.replace(' ', '-').replace(',', '')}-{rows}{case.suffix}"
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        case.write(path, rows)
    with libmuster.Dataset(path) as dataset:
        into = np.zeros(dataset.shape, dataset.dtype)
    wanted = next(iter(case.peers.values()))(path)
    load_muster(path, into)
    assert np.array_equal(into, wanted), f"{case.name}: not what its own reader gives"
    del wanted
    sides = {"muster": lambda: load_muster(path, into)}
    if case.of_limit is not None:
        sides["pread"] = lambda: pread(limit, path, into)
    sides |= {name: lambda peer=peer: peer(path) for name, peer in case.peers.items()}
    times = {name: [] for name in sides}
    for _ in range(given.rounds):
        for name, function in sides.items():
            times[name].append(seconds(function))
    return [row_of(case, name, times, into.nbytes) for name in sides]


def row_of(case, name, times, nbytes):
    row = Row(case=case.name, side=name, rate=nbytes / statistics.median(times[name]) / 1e9)
    ratios = [theirs / ours for theirs, ours in zip(times[name], times["muster"])]
    best = min(case.peers, key=lambda peer: statistics.median(times[peer]))
    if name == "pread":
        row.compare(ratios, case.of_limit)
    elif name != "muster":
        row.compare(ratios, case.target if name == best else None)
    return row


def main():
    given = table.options("bench/run.sh formats", __doc__.splitlines()[0], 7, "a tenth of the rows, once")
    limit = c.CDLL(str(env.BUILD / "bench-limit.so"))
    limit.bench_pread.argtypes = [c.c_void_p] * 3 + [c.c_size_t, c.c_void_p, c.c_uint, c.c_bool]
    rows = []
    print(f"{'case':34}{'side':24}{'GB/s':>8}  muster is")
    for module in sorted(pathlib.Path(__file__).parent.glob("formats_*.py")):
        for case in importlib.import_module(module.stem).CASES:
            if given.only not in case.name:
                continue
            for row in run(case, given, limit):
                rows.append(row)
                print(f"{row.case:34}{row.side:24}{row.rate:8.2f}  {row.ratio} {row.target} {row.mark}")
    print(table.targets_met(rows))


if __name__ == "__main__":
    import formats  # so that the parts see the same Case

    formats.main()

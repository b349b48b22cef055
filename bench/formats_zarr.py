# SPDX-License-Identifier: Apache-2.0
"""
Arrays of Zarr with muster, zarr and TensorStore: a part of bench/formats.py, and a program of its own.

    .venv/bin/python bench/formats_zarr.py [NAME...]

MUSTER_BENCH_DIR is where the data lie, MUSTER_BENCH_BYTES how many there are.
"""

import ctypes as c
import os
import pathlib
import shutil
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests"))

import numcodecs  # noqa: E402
import numpy as np  # noqa: E402
import tensorstore  # noqa: E402
import zarr  # noqa: E402
from support import env, libmuster  # noqa: E402
from zarr.codecs import BloscCodec, ZstdCodec  # noqa: E402

FOLDER = pathlib.Path(os.environ.get("MUSTER_BENCH_DIR") or env.BUILD / "bench-data")
BYTES = int(os.environ.get("MUSTER_BENCH_BYTES") or 256 << 20)
CPUS = len(os.sched_getaffinity(0))
REPEATS = 5
BLOSC = BloscCodec(cname="lz4", shuffle="shuffle", typesize=4)

CASES = {
    "v3 none": {"chunks": (4000, 1000), "compressors": None},
    "v3 none, columns": {"chunks": (4000, 250), "compressors": None},
    "v3 zstd": {"chunks": (4000, 1000), "compressors": ZstdCodec(level=1)},
    "v3 blosc": {"chunks": (4000, 1000), "compressors": BLOSC},
    "v3 shards": {"chunks": (1000, 1000), "shards": (8000, 1000), "compressors": None},
    "v3 shards, zstd": {
        "chunks": (1000, 250),
        "shards": (8000, 1000),
        "compressors": ZstdCodec(level=1),
    },
    "v2 none": {"zarr_format": 2, "chunks": (4000, 1000), "compressors": None},
    "v2 none, F": {"zarr_format": 2, "chunks": (4000, 1000), "compressors": None, "order": "F"},
    "v2 blosc": {"zarr_format": 2, "chunks": (4000, 1000), "compressors": numcodecs.Blosc("lz4")},
}


def data():
    """float32 that compress about as measured data do."""
    random = np.random.default_rng(0)
    return (random.integers(0, 1000, (BYTES // 4000, 1000)) / 8).astype("f4")


def rate(function, size):
    """The best of some runs, in GB/s of decoded bytes."""
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return size / min(times) / 1e9


def limit(array):
    """Reading as many bytes of one warm file into memory that was touched, by all threads."""
    path = FOLDER / "zarr-limit.npy"
    np.save(path, array)
    with libmuster.Dataset(path) as dataset:
        found = rate(lambda: dataset.load(into=array, threads=CPUS, checksum=False), array.nbytes)
    path.unlink()
    return found


def measure(name, array):
    """{way: GB/s} of one case."""
    path, options = FOLDER / f"zarr-{name.replace(' ', '-')}", CASES[name]
    shutil.rmtree(path, ignore_errors=True)
    stored = zarr.create_array(store=str(path), shape=array.shape, dtype="f4", **options)
    stored[:] = array
    into = np.zeros_like(array)
    driver = "zarr" if "zarr_format" in options else "zarr3"
    kvstore = {"driver": "file", "path": f"{path}/"}
    store = tensorstore.open({"driver": driver, "kvstore": kvstore}).result()
    rates = {}
    with libmuster.Dataset(path) as dataset:
        for threads in sorted({1, CPUS}):
            load = {"into": into, "threads": threads, "checksum": False}
            rates[f"muster, {threads}"] = rate(lambda: dataset.load(**load), array.nbytes)
            assert np.array_equal(into, array)
            c.memset(into.ctypes.data, 0, into.nbytes)
    rates["zarr"] = rate(lambda: stored[:], array.nbytes)
    rates["TensorStore"] = rate(lambda: store.read().result(), array.nbytes)
    shutil.rmtree(path)
    return rates


def main(names):
    FOLDER.mkdir(parents=True, exist_ok=True)
    array = data()
    print(f"{'limit':18} {limit(array):6.2f} GB/s")
    for name in names or CASES:
        rates = measure(name, array)
        peers = max(rates["zarr"], rates["TensorStore"])
        ratio = rates[f"muster, {CPUS}"] / peers
        print(f"{name:18}", *(f"{way} {r:.2f} " for way, r in rates.items()), f"{ratio:.1f} x")


if __name__ == "__main__":
    main(sys.argv[1:])

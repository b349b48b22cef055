# SPDX-License-Identifier: Apache-2.0
"""Arrays of Zarr: cases of bench/formats.py."""

import numcodecs
import numpy as np
import tensorstore
import zarr
from formats import Case, also
from limits import Compressed
from zarr.codecs import BloscCodec, GzipCodec, ZstdCodec

COLUMNS = 1000
CHUNK_BYTES = 4000 * COLUMNS * 4
INNER = (1000, 250)  # chunks within shards


def values(rows):
    """float32 that compress about as measured data do."""
    return (np.random.default_rng(0).integers(0, 1000, (rows, COLUMNS)) / 8).astype("f4")


def write(chunks=(4000, COLUMNS), **options):
    def write(path, rows):
        shape = (rows, COLUMNS)
        made = zarr.create_array(store=str(path), shape=shape, dtype="f4", chunks=chunks, **options)
        made[:] = values(rows)

    return write


def by_zarr(path):
    """Of chunks in order F it gives an array in that order, which muster's is not."""
    return np.ascontiguousarray(zarr.open_array(str(path), mode="r")[:])


def by_tensorstore(path):
    driver = "zarr" if (path / ".zarray").exists() else "zarr3"
    store = {"driver": "file", "path": f"{path}/"}
    return tensorstore.open({"driver": driver, "kvstore": store}).result().read().result()


def chunks(path):
    files = [file for file in path.rglob("*") if file.is_file() and file.name.lstrip(".")[0] not in "z"]
    return [Compressed(file, 0, file.stat().st_size, CHUNK_BYTES) for file in sorted(files)]


def chunks_of_shards(path):
    """By the index at the end of each: offsets and lengths, and a checksum."""
    size = INNER[0] * INNER[1] * 4
    pieces = []
    for shard in chunks(path):
        index = np.fromfile(shard.path, "<u8", offset=shard.length - 4 - 16 * 32, count=2 * 32)
        there = index.reshape(-1, 2)[index[::2] < 2**63]
        pieces += [Compressed(shard.path, int(o), int(n), size) for o, n in there]
    return pieces


PEERS = {"zarr": by_zarr, "TensorStore": by_tensorstore}
BLOSC = BloscCodec(cname="lz4", shuffle="shuffle", typesize=4)
SHARDS = (8000, COLUMNS)
ROWS = 96_000


def case(name, target=1.5, of_limit=None, codec="", pieces=chunks, **options):
    pieces = pieces if codec else None
    return Case(f"zarr, {name}", write(**options), ROWS, ".zarr", PEERS, target, of_limit, codec, pieces)


PLAIN = case("v3", compressors=None, of_limit=0.8)
CASES = [
    case("v2", compressors=None, zarr_format=2, of_limit=0.8),
    PLAIN,
    also(PLAIN, "cold", 0.85),
    also(PLAIN, "fresh", 0.9),
    case("v3, columns", chunks=(4000, 250), compressors=None),
    case("v2, order F", compressors=None, zarr_format=2, order="F"),
    case("v2, blosc", codec="blosc", compressors=numcodecs.Blosc("lz4"), zarr_format=2),
    case("v3, blosc", codec="blosc", compressors=BLOSC),
    case("v3, zstd", codec="zstd", compressors=ZstdCodec(level=1)),
    case("v3, gzip", codec="gzip", compressors=GzipCodec(level=1)),
    case("shards", chunks=(1000, COLUMNS), shards=SHARDS, compressors=None, of_limit=0.8),
    case("shards, zstd", codec="zstd", pieces=chunks_of_shards,
         chunks=INNER, shards=SHARDS, compressors=ZstdCodec(level=1)),
]  # fmt: skip

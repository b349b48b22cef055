# SPDX-License-Identifier: Apache-2.0
"""
Random arrays of Zarr, written by zarr itself and by TensorStore. What they hold is NumPy's: the fill
value, and over a part of it the data that were assigned.
"""

import random
import warnings

import numcodecs
import numpy as np
import tensorstore as ts
import zarr
from zarr.codecs import (
    BloscCodec,
    BytesCodec,
    Crc32cCodec,
    GzipCodec,
    ShardingCodec,
    TransposeCodec,
    ZstdCodec,
)

warnings.filterwarnings("ignore", module="zarr")
warnings.filterwarnings("ignore", category=UserWarning, module="numcodecs")

KINDS_V3 = "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16 M8[ns] m8[25s]".split()
KINDS_V2 = KINDS_V3 + "M8[D] m8[ms]".split()
FILLS = {
    "b": [False, True],
    "i": [0, -1, 7],
    "u": [0, 9, 255],
    "f": [0.0, -0.0, 1.5, float("nan"), float("inf"), float("-inf")],
    "c": [0, 1.5 - 2j, complex(float("nan"), float("inf"))],
    "M": ["NaT", 5],
    "m": ["NaT", -3],
}


def shape_of(rng, axes=4):
    rank = rng.randint(1, axes)
    longest = {1: 400, 2: 40, 3: 14, 4: 9}[rank]
    return tuple(0 if rng.random() < 0.02 else rng.randint(1, longest) for _ in range(rank))


def chunk_of(rng, shape):
    def length(n):
        return rng.choice([max(n, 1), rng.randint(1, max(n, 1)), rng.randint(1, n + 3)])

    return tuple(length(n) for n in shape)


def data_of(rng, shape, dtype):
    """Values that compress a little, any bits among them."""
    source = np.random.default_rng(rng.getrandbits(32))
    dtype = np.dtype(dtype)
    if rng.random() < 0.3:
        flat = source.bytes(int(np.prod(shape)) * dtype.itemsize)
        array = np.frombuffer(flat, dtype).reshape(shape)
        return array if dtype.kind != "b" else array & True
    numbers = source.integers(0, 100, shape)
    return numbers.astype(dtype.newbyteorder("=")).astype(dtype)


def fill_of(rng, dtype):
    value = rng.choice(FILLS[np.dtype(dtype).kind])
    if np.dtype(dtype).kind in "Mm" and value != "NaT":
        return np.array(value, "i8").astype(np.dtype(dtype).newbyteorder("="))[()]
    if np.dtype(dtype).kind in "Mm":
        return np.array("NaT", np.dtype(dtype).newbyteorder("="))[()]
    return np.dtype(dtype).type(value)


def bytes_codecs(rng, dtype, inner=True):
    """Codecs behind `bytes`, from none to three on top of each other."""
    item = np.dtype(dtype).itemsize
    blosc = BloscCodec(
        typesize=item,
        cname=rng.choice(["lz4", "lz4hc", "blosclz", "zstd", "zlib"]),
        clevel=rng.randint(0, 9),
        shuffle=rng.choice(["noshuffle", "shuffle", "bitshuffle"]),
    )
    choices = [
        [],
        [],
        [blosc],
        [ZstdCodec(level=rng.randint(-1, 5), checksum=rng.random() < 0.5)],
        [GzipCodec(level=rng.randint(0, 9))],
        [Crc32cCodec()],
        [ZstdCodec(), Crc32cCodec()],
        [blosc, GzipCodec()],
        [GzipCodec(), ZstdCodec(), Crc32cCodec()],
        [zarr.codecs.numcodecs.Shuffle(elementsize=item), zarr.codecs.numcodecs.Zlib(level=2)],
        [zarr.codecs.numcodecs.LZ4(), zarr.codecs.numcodecs.Fletcher32()],
        [zarr.codecs.numcodecs.CRC32(), zarr.codecs.numcodecs.Adler32()],
        [zarr.codecs.numcodecs.BZ2(level=rng.randint(1, 9))],
        [zarr.codecs.numcodecs.LZMA(preset=rng.randint(0, 2)), Crc32cCodec()],
    ]
    return rng.choice(choices)


def array_codecs(rng, rank, dtype):
    if rng.random() < 0.25:
        return [TransposeCodec(order=tuple(rng.sample(range(rank), rank)))]
    if rng.random() < 0.1 and np.dtype(dtype).kind in "iu":
        return [zarr.codecs.numcodecs.Delta(dtype=np.dtype(dtype).str)]
    return []


def sharded(rng, chunks, codecs):
    """Shards of such chunks: their shape, and the codec."""
    index = [BytesCodec(endian=rng.choice(["little", "big"]))]
    codec = ShardingCodec(
        chunk_shape=chunks,
        codecs=codecs,
        index_codecs=index + [Crc32cCodec()] * rng.randint(0, 1),
        index_location=rng.choice(["start", "end"]),
    )
    return tuple(c * rng.randint(1, 3) for c in chunks), codec


def v3_options(rng, shape, dtype):
    chunks = chunk_of(rng, shape)
    endian = rng.choice(["little", "little", "big"])
    serializer = BytesCodec(endian=endian)
    filters = array_codecs(rng, len(shape), dtype) if endian == "little" else []
    compressors = bytes_codecs(rng, dtype)
    options = {"chunks": chunks, "filters": filters or None, "compressors": compressors or None}
    if rng.random() < 0.4:
        shard, serializer = sharded(rng, chunks, [*filters, serializer, *compressors])
        if rng.random() < 0.25:
            shard, serializer = sharded(rng, shard, [serializer])
        options = {"chunks": shard, "filters": None, "compressors": None}
    options["serializer"] = serializer
    key = rng.choice(["default", "default", "v2"])
    options["chunk_key_encoding"] = {"name": key, "separator": rng.choice("./")}
    return options


def v2_compressor(rng, item):
    return rng.choice(
        [
            None,
            numcodecs.Zlib(rng.randint(1, 9)),
            numcodecs.GZip(rng.randint(1, 9)),
            numcodecs.Zstd(rng.randint(1, 6)),
            numcodecs.LZ4(),
            numcodecs.BZ2(rng.randint(1, 9)),
            numcodecs.LZMA(format=rng.choice([1, 2]), preset=rng.randint(0, 2)),
            numcodecs.Blosc(
                cname=rng.choice(["lz4", "lz4hc", "blosclz", "zstd", "zlib"]),
                clevel=rng.randint(0, 9),
                shuffle=rng.choice([0, 1, 2]),
            ),
        ]
    )


def v2_filters(rng, dtype):
    dtype = np.dtype(dtype)
    choices = [
        [],
        [],
        [],
        [numcodecs.Shuffle(dtype.itemsize)],
        [numcodecs.CRC32(location=rng.choice(["start", "end"]))],
        [numcodecs.CRC32C(location=rng.choice(["start", "end"]))],
        [numcodecs.Adler32(location=rng.choice(["start", "end"]))],
        [numcodecs.Fletcher32()],
        [numcodecs.Shuffle(dtype.itemsize), numcodecs.CRC32(), numcodecs.Zlib(1)],
    ]
    if dtype.kind in "iu":
        choices += [[numcodecs.Delta(dtype.str)]] * 2
    if dtype.kind in "iu" and dtype.itemsize < 8:
        choices += [[numcodecs.Delta(dtype.str, dtype.byteorder.replace("|", "<") + "i8")]]
    return rng.choice(choices)


def v2_options(rng, shape, dtype):
    return {
        "chunks": chunk_of(rng, shape),
        "compressors": v2_compressor(rng, np.dtype(dtype).itemsize),
        "filters": v2_filters(rng, dtype) or None,
        "order": rng.choice("CCF"),
        "chunk_key_encoding": {"name": "v2", "separator": rng.choice("./")},
    }


def region_of(rng, shape):
    """All of it mostly, else a part: what is outside stays the fill value."""
    if rng.random() < 0.6:
        return tuple(slice(0, n) for n in shape)
    return tuple(slice(*sorted((rng.randint(0, n), rng.randint(0, n)))) for n in shape)


def by_zarr(rng, path):
    version = rng.choice([2, 3, 3])
    kind = rng.choice(KINDS_V2 if version == 2 else KINDS_V3)
    order = rng.choice("<<>") if version == 2 else "<"
    dtype = np.dtype(kind) if np.dtype(kind).itemsize == 1 else np.dtype(order + kind)
    shape = shape_of(rng)
    options = (v2_options if version == 2 else v3_options)(rng, shape, dtype)
    # NaN of other bits than NumPy's would come back as those.
    fill = fill_of(rng, dtype)
    array = zarr.create_array(
        store=str(path),
        shape=shape,
        dtype=dtype,
        zarr_format=version,
        fill_value=fill,
        config={"write_empty_chunks": rng.random() < 0.5},
        **options,
    )
    expected = np.full(shape, fill, dtype)
    region = region_of(rng, shape)
    expected[region] = data_of(rng, expected[region].shape, dtype)
    if expected[region].size:
        array[region] = expected[region]
    return expected


def ts_codecs(rng, rank):
    codecs = []
    if rng.random() < 0.3:
        codecs.append(
            {"name": "transpose", "configuration": {"order": rng.sample(range(rank), rank)}}
        )
    endian = rng.choice(["little", "big"])
    codecs.append({"name": "bytes", "configuration": {"endian": endian}})
    codecs += rng.choice(
        [
            [],
            [{"name": "zstd", "configuration": {"level": 1}}],
            [{"name": "gzip", "configuration": {"level": 5}}, {"name": "crc32c"}],
            [
                {
                    "name": "blosc",
                    "configuration": {"cname": "lz4", "clevel": 5, "shuffle": "bitshuffle"},
                }
            ],
        ]
    )
    return codecs


def ts_metadata(rng, shape):
    chunks = chunk_of(rng, shape)
    codecs = ts_codecs(rng, len(shape))
    outer = chunks
    if rng.random() < 0.5:
        outer = [c * rng.randint(1, 3) for c in chunks]
        index = [{"name": "bytes", "configuration": {"endian": rng.choice(["little", "big"])}}]
        index += [{"name": "crc32c"}] * rng.randint(0, 1)
        sharding = {
            "chunk_shape": chunks,
            "codecs": codecs,
            "index_codecs": index,
            "index_location": rng.choice(["start", "end"]),
        }
        codecs = [{"name": "sharding_indexed", "configuration": sharding}]
    encoding = {"name": rng.choice(["default", "v2"])}
    if rng.random() < 0.5:
        encoding["configuration"] = {"separator": rng.choice("./")}
    return {
        "shape": shape,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": outer}},
        "chunk_key_encoding": encoding,
        "codecs": codecs,
    }


def by_tensorstore(rng, path):
    shape = tuple(max(n, 1) for n in shape_of(rng))
    kind = rng.choice("bool int8 int16 int32 int64 uint8 uint16 uint32 float16 float32".split())
    metadata = ts_metadata(rng, shape)
    store = ts.open(
        {"driver": "zarr3", "kvstore": {"driver": "file", "path": f"{path}/"}, "metadata": metadata},
        create=True,
        dtype=kind,
        fill_value=np.array(rng.choice([0, 1]), kind),
    ).result()
    expected = np.full(shape, store.fill_value, kind)
    region = region_of(rng, shape)
    expected[region] = data_of(rng, expected[region].shape, kind)
    if expected[region].size:
        store[region].write(expected[region]).result()
    return expected


def write(number, path):
    """Array number `number`, as it lies at the path afterwards."""
    rng = random.Random(f"zarr {number}")
    return by_tensorstore(rng, path) if rng.random() < 0.2 else by_zarr(rng, path)

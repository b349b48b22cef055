# SPDX-License-Identifier: Apache-2.0
"""bz2 and lzma, and shards within shards, as zarr writes them."""

import bz2
import json
import lzma
import random

import numcodecs
import numpy as np
import pytest
import zarr
from support.libmuster import FORMAT, NOT_FOUND, UNSUPPORTED, Dataset
from support.reading import refused, said
from zarr.codecs import BytesCodec, Crc32cCodec, GzipCodec, ShardingCodec, TransposeCodec, ZstdCodec

A = (np.arange(37 * 29) * 7 % 1009).reshape(37, 29).astype("i4")


def check(path, expected):
    with Dataset(path) as dataset:
        assert np.array_equal(dataset.load(threads=2)[0], expected)
        for lo, hi in (0, 0), (3, 5), (16, 37), (36, 37):
            assert np.array_equal(dataset.read(lo, hi), expected[lo:hi])


LZMA = [
    numcodecs.LZMA(),
    numcodecs.LZMA(preset=0, check=lzma.CHECK_NONE),
    numcodecs.LZMA(format=lzma.FORMAT_ALONE, preset=2),
    numcodecs.LZMA(filters=[{"id": lzma.FILTER_DELTA, "dist": 4}, {"id": lzma.FILTER_LZMA2, "preset": 1}]),
]


@pytest.mark.parametrize("codec", [numcodecs.BZ2(), numcodecs.BZ2(9), *LZMA], ids=repr)
def test_version_2(tmp_path, codec):
    zarr.create_array(tmp_path / "x", data=A, chunks=(10, 29), zarr_format=2, compressors=codec)
    check(tmp_path / "x", A)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("codec", [zarr.codecs.numcodecs.BZ2(level=3), zarr.codecs.numcodecs.LZMA(preset=1)], ids=repr)
def test_version_3(tmp_path, codec):
    zarr.create_array(tmp_path / "x", data=A, chunks=(10, 8), compressors=[codec])
    check(tmp_path / "x", A)


def by_hand(path, codec, chunk):
    path.mkdir()
    metadata = {"zarr_format": 2, "shape": [1000], "chunks": [1000], "dtype": "<i4", "fill_value": 0,
                "order": "C", "filters": None, "compressor": codec}  # fmt: skip
    (path / ".zarray").write_text(json.dumps(metadata))
    (path / "0").write_bytes(chunk)
    return path


def pack(name):
    return bz2.compress if name == "bz2" else lzma.compress


@pytest.mark.parametrize("name", ["bz2", "lzma"])
def test_streams_behind_one_another(tmp_path, name):
    data = np.arange(1000, dtype="i4")
    chunk = pack(name)(data[:300].tobytes()) + pack(name)(data[300:].tobytes())
    check_first(by_hand(tmp_path / "x", {"id": name}, chunk), data)


def check_first(path, expected):
    with Dataset(path) as dataset:
        assert np.array_equal(dataset.read(), expected)


@pytest.mark.parametrize("name", ["bz2", "lzma"])
def test_damaged(tmp_path, name):
    data = np.random.default_rng(1).integers(0, 9, 1000).astype("i4").tobytes()
    whole = pack(name)(data)
    bad = [whole[:at] for at in range(0, len(whole), 17)]
    bad += [pack(name)(data + b"\0"), pack(name)(data[:-1]), whole + b"xx", pack(name)(bytes(1 << 20))]
    bad += [whole[:at] + bytes([whole[at] ^ 16]) + whole[at + 1 :] for at in range(12, len(whole) - 12, 29)]
    path = by_hand(tmp_path / "x", {"id": name}, whole)
    for number, chunk in enumerate(bad):
        (path / "0").write_bytes(chunk)
        with Dataset(path) as dataset, pytest.raises(Exception) as error:
            dataset.read()
        assert error.value.status == FORMAT, number


def test_lzma_without_a_container(tmp_path):
    path = by_hand(tmp_path / "x", {"id": "lzma", "format": 3, "filters": [{"id": 33}]}, b"")
    said(refused(path, UNSUPPORTED), "lzma without a container", "format 1")


# ---- shards within shards ----


def nested(levels, codecs, rng):
    """Codecs of shards of these chunk shapes, the outermost first."""
    for shape in reversed(levels):
        index = [BytesCodec(endian=rng.choice(["little", "big"]))] + [Crc32cCodec()] * rng.randint(0, 1)
        place = rng.choice(["start", "end"])
        codecs = [ShardingCodec(chunk_shape=shape, codecs=codecs, index_codecs=index, index_location=place)]
    return codecs[0]


SHAPES = [
    ((37, 29), (20, 12), [(10, 4), (5, 2)]),
    ((37, 29), (40, 32), [(20, 16), (4, 8)]),
    ((50,), (60,), [(30,), (15,), (5,)]),
    ((9, 8, 7), (6, 8, 4), [(3, 4, 4), (1, 2, 4)]),
]
CODECS = [[BytesCodec()], [BytesCodec(), ZstdCodec()], [BytesCodec(endian="big"), GzipCodec(), Crc32cCodec()]]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(12))
def test_shards_within_shards(tmp_path, seed):
    rng = random.Random(seed)
    shape, outer, levels = SHAPES[seed % len(SHAPES)]
    codecs = rng.choice(CODECS)
    if len(shape) > 1 and rng.random() < 0.3:
        codecs = [TransposeCodec(order=tuple(reversed(range(len(shape))))), *codecs]
    array = zarr.create_array(
        tmp_path / "x", shape=shape, chunks=outer, dtype="i4", fill_value=-5, filters=None, compressors=None,
        serializer=nested(levels, codecs, rng), config={"write_empty_chunks": False},
    )  # fmt: skip
    expected = np.full(shape, -5, "i4")
    where = tuple(slice(rng.randint(0, n // 2), rng.randint(n // 2, n)) for n in shape)
    expected[where] = np.random.default_rng(seed).integers(0, 100, expected[where].shape)
    array[where] = expected[where]
    with Dataset(tmp_path / "x") as dataset:
        assert np.array_equal(dataset.read(), expected)
        assert np.array_equal(dataset.load(threads=2)[0], expected)
        for lo in range(0, len(expected) - 2, 3):
            assert np.array_equal(dataset.read(lo, lo + 2), expected[lo : lo + 2])


@pytest.mark.filterwarnings("ignore")
def test_damage_within(tmp_path):
    """What an inner index says is checked against the shard that it is in."""
    path = tmp_path / "x"
    inner = ShardingCodec(chunk_shape=(2,), codecs=[BytesCodec()], index_codecs=[BytesCodec()])
    outer = ShardingCodec(chunk_shape=(4,), codecs=[inner], index_codecs=[BytesCodec()])
    zarr.create_array(path, data=np.arange(8, dtype="i4"), chunks=(8,), serializer=outer, compressors=None)
    file = path / "c/0"
    whole = bytearray(file.read_bytes())
    # Two inner shards of 16 bytes of data and an index of 32, then the index of both.
    assert len(whole) == 2 * (16 + 32) + 32
    assert int.from_bytes(whole[24:32], "little") == 8  # the length of a chunk
    check_first(path, np.arange(8, dtype="i4"))
    for at, value in ((24, 9), (16, 48), (40, 255), (24, 200)):
        bad = whole.copy()
        bad[at] = value
        file.write_bytes(bad)
        with Dataset(path) as dataset, pytest.raises(Exception) as error:
            dataset.read()
        assert error.value.status == FORMAT, at
    file.write_bytes(whole[: 2 * 48 + 8])
    with Dataset(path) as dataset, pytest.raises(Exception) as error:
        dataset.read()
    assert error.value.status == FORMAT
    gone = whole.copy()
    gone[16:32] = b"\xff" * 16
    file.write_bytes(gone)
    check_first(path, np.array([0, 0, 2, 3, 4, 5, 6, 7], "i4"))
    with Dataset(path, strict=True) as dataset, pytest.raises(Exception) as error:
        dataset.read()
    assert error.value.status == NOT_FOUND


def test_too_many_levels(tmp_path):
    path = tmp_path / "x"
    path.mkdir()
    codecs = [{"name": "bytes"}]
    for length in 1, 2, 4, 8:
        index = [{"name": "bytes", "configuration": {"endian": "little"}}]
        configuration = {"chunk_shape": [length], "codecs": codecs, "index_codecs": index}
        codecs = [{"name": "sharding_indexed", "configuration": configuration}]
    metadata = {"zarr_format": 3, "node_type": "array", "shape": [16], "data_type": "uint8", "fill_value": 0,
                "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [16]}},
                "chunk_key_encoding": {"name": "default"}, "codecs": codecs}  # fmt: skip
    (path / "zarr.json").write_text(json.dumps(metadata))
    said(refused(path, UNSUPPORTED), "more than 3 levels")

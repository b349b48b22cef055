# SPDX-License-Identifier: Apache-2.0
"""
What Zarr arrays may be like, one case a test: written by zarr itself, or by hand where it writes no such
thing. Random arrays are in test_zarr_random.py, damaged ones in test_zarr_damage.py.
"""

import json
import os
import shutil
import struct

import numcodecs
import numpy as np
import pytest
import zarr
from support import cli, libmuster, zarrs
from support.libmuster import Dataset, MusterError
from zarr.codecs import BytesCodec, Crc32cCodec, ShardingCodec

DATA = np.arange(60, dtype="f4").reshape(12, 5)


def put(path, array=DATA, **options):
    """By zarr, in chunks of 4 rows and 2 columns unless options say otherwise."""
    options = {"chunks": (4, 2)[: array.ndim] + (2,) * (array.ndim - 2), "zarr_format": 3} | options
    stored = zarr.create_array(store=str(path), shape=array.shape, dtype=array.dtype, **options)
    stored[...] = array
    return path


def by_hand(path, files, **metadata):
    """A zarr.json with defaults for what is not said, and chunk files."""
    metadata = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": [4],
        "data_type": "float32",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
        "chunk_key_encoding": {"name": "default"},
        "fill_value": 0,
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
    } | metadata
    for name, content in {"zarr.json": json.dumps(metadata).encode(), **files}.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    return path


def old_by_hand(path, files, **metadata):
    """The same with a .zarray."""
    metadata = {
        "zarr_format": 2,
        "shape": [4],
        "chunks": [2],
        "dtype": "<f4",
        "fill_value": 0,
        "order": "C",
        "filters": None,
        "compressor": None,
    } | metadata
    for name, content in {".zarray": json.dumps(metadata).encode(), **files}.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(content)
    return path


def floats(*values):
    return struct.pack(f"<{len(values)}f", *values)


def read(path, **options):
    with Dataset(path, **options) as dataset:
        return dataset.read()


def change(path, **values):
    """Metadata edited by hand."""
    file = path / "zarr.json" if (path / "zarr.json").exists() else path / ".zarray"
    metadata = json.loads(file.read_text())
    metadata.update(values)
    file.write_text(json.dumps(metadata))
    return path


def refusal(path, **options):
    with pytest.raises(MusterError) as caught:
        read(path, **options)
    return caught.value


# ---- missing chunks ------------------------------------------------------------------------------


def test_missing_chunks_are_the_fill_value(folder):
    path = put(folder / "a", chunks=(4, 5), fill_value=2.5)
    os.remove(path / "c/1/0")
    expected = DATA.copy()
    expected[4:8] = 2.5
    with Dataset(path) as dataset:
        assert np.array_equal(dataset.read(), expected)
        assert any("1 of 3 chunks are not there, and read as" in note for note in dataset.notes)
    with Dataset(path, strict=True) as dataset:
        (note,) = dataset.notes
        assert "1 of 3 chunks are not there, which --strict makes an error" in note and "fill" not in note
        assert np.array_equal(dataset.read(0, 4), DATA[:4])
        with pytest.raises(MusterError, match="--strict") as caught:
            dataset.read()
        assert caught.value.name == "0" and caught.value.status == "NOT_FOUND"


def test_no_chunk_at_all_is_told(folder):
    path = put(folder / "a", zarr_format=2, chunks=(4, 5))
    change(path, dimension_separator="/")
    with Dataset(path) as dataset:
        assert any("no chunk is there" in note and "0/0" in note for note in dataset.notes)
        assert not dataset.read().any()


def test_no_chunk_of_many_is_told(folder):
    path = old_by_hand(folder / "a", {"0.0": floats(1, 2)}, shape=[1000, 1], chunks=[2, 1])
    with Dataset(path) as dataset:
        assert dataset.notes == []
    change(path, dimension_separator="/")
    with Dataset(path) as dataset:
        assert "no chunk is there" in dataset.notes[0]


def test_missing_shards_and_inner_chunks(folder):
    array = np.zeros((8, 8), "i4")
    array[0:2, 2:4] = 7
    path = put(
        folder / "a",
        array,
        chunks=(2, 2),
        shards=(4, 4),
        fill_value=0,
        config={"write_empty_chunks": False},
    )
    assert len(list(path.rglob("c/*/*"))) == 1
    with Dataset(path) as dataset:
        assert np.array_equal(dataset.read(), array)
        assert "3 of 4 shards are not there" in dataset.notes[0]


@pytest.mark.parametrize(
    "dtype, fill, expected",
    [
        ("float32", "NaN", np.float32("nan")),
        ("float32", "Infinity", np.float32("inf")),
        ("float64", "-Infinity", np.float64("-inf")),
        ("float32", "0x3fc00000", np.float32(1.5)),
        ("float64", "0x3ff8000000000000", np.float64(1.5)),
        ("float16", 0.1, np.float16(0.1)),
        ("complex64", [1, "NaN"], np.complex64(complex(1, float("nan")))),
        ("complex128", [0.5, -1], np.complex128(0.5 - 1j)),
        ("uint64", 2**64 - 1, np.uint64(2**64 - 1)),
        ("int64", 2**53 + 1, np.int64(2**53 + 1)),
        ("int64", -(2**63), np.int64(-(2**63))),
        ("bool", True, np.True_),
        ("int8", None, np.int8(0)),
    ],
)
@pytest.mark.parametrize("endian", ["little", "big"])
def test_fill_values(folder, dtype, fill, expected, endian):
    codecs = [{"name": "bytes", "configuration": {"endian": endian}}]
    path = by_hand(folder / "a", {}, data_type=dtype, fill_value=fill, codecs=codecs)
    assert read(path).tobytes() == np.full(4, expected).tobytes()


def test_fill_values_of_version_2(folder):
    path = old_by_hand(folder / "a", {}, dtype="<M8[ns]", fill_value=-(2**63))
    assert np.isnat(read(path)).all()
    path = old_by_hand(folder / "b", {}, dtype=">i2", fill_value=None)
    assert read(path).tolist() == [0] * 4
    path = old_by_hand(folder / "c", {}, dtype=">f8", fill_value="NaN")
    assert np.isnan(read(path)).all()
    path = old_by_hand(folder / "d", {}, dtype="|V2", fill_value="gD8=")  # a bfloat16 of 1.0
    assert read(path, source_dtype="bfloat16").tolist() == [1] * 4


def test_bare_nan_and_large_numbers_in_json(folder):
    """What Python's json module writes although it is no JSON."""
    path = by_hand(folder / "a", {}, fill_value=float("nan"), attributes={"x": [float("inf"), 2**70]})
    assert np.isnan(read(path)).all()


@pytest.mark.parametrize("fill", ["nan", "0x12", [1, 2, 3], {}, 2**70])
def test_a_fill_value_of_another_dtype(folder, fill):
    path = by_hand(folder / "a", {}, data_type="int32", fill_value=fill)
    assert "fill_value" in refusal(path).message


# ---- keys -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "encoding, key",
    [
        ({"name": "default"}, "c/0/1"),
        ("default", "c/0/1"),
        ({"name": "default", "configuration": {"separator": "."}}, "c.0.1"),
        ({"name": "v2"}, "0.1"),
        ({"name": "v2", "configuration": {"separator": "/"}}, "0/1"),
    ],
)
def test_chunk_keys(folder, encoding, key):
    grid = {"name": "regular", "configuration": {"chunk_shape": [2, 1]}}
    path = by_hand(
        folder / "a", {key: floats(5, 6)}, shape=[2, 2], chunk_grid=grid, chunk_key_encoding=encoding
    )
    assert read(path).tolist() == [[0, 5], [0, 6]]


@pytest.mark.parametrize(
    ("shape", "chunks", "options"),
    [
        ((2200, 45), (2100, 40), {"zarr_format": 2, "order": "F"}),
        ((70, 40, 37), (60, 40, 30), {"zarr_format": 2, "order": "F"}),
        ((70, 40, 37), (60, 40, 30), {"filters": zarr.codecs.TransposeCodec(order=(1, 2, 0))}),
        ((70, 40, 37), (60, 40, 30), {"filters": zarr.codecs.TransposeCodec(order=(1, 0, 2))}),
    ],
)
def test_large_chunks_with_other_orders_of_axes(folder, shape, chunks, options):
    """They are read in pieces of 256 KiB."""
    array = np.arange(np.prod(shape), dtype="f8").reshape(shape)
    assert np.array_equal(read(put(folder / "x", array, chunks=chunks, compressors=None, **options)), array)


def test_arrays_without_axes(folder):
    grid = {"name": "regular", "configuration": {"chunk_shape": []}}
    path = by_hand(folder / "a", {"c": floats(7)}, shape=[], chunk_grid=grid)
    assert "--stack" in refusal(path).message
    assert read(path, stack=True).tolist() == [7]
    path = old_by_hand(folder / "b", {"0": floats(8)}, shape=[], chunks=[])
    assert read(path, stack=True).tolist() == [8]


def test_empty_shards(folder):
    put(folder / "a_0", DATA[:0])
    put(folder / "a_1", DATA)
    assert np.array_equal(read(folder), DATA)


def test_keys_cannot_point_outside(folder):
    """A chunk's key is made of numbers; names of arrays must not lead out of the group."""
    put(folder / "outside")
    group = zarr.open_group(folder / "g", mode="w")
    group.create_array("x", data=DATA)
    os.symlink(folder / "outside", folder / "g" / "link")
    os.symlink(folder / "g", folder / "g" / "loop")
    for name in ("..", "../outside", "x/../../outside", "./x", "x//y", "/../outside"):
        error = refusal(folder / "g", dataset=name)
        assert error.status in ("USAGE", "NOT_FOUND"), name
    assert np.array_equal(read(folder / "g"), DATA)  # neither link is an array of the group


# ---- several arrays -----------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [2, 3])
def test_groups(folder, version):
    group = zarr.open_group(folder / "g", mode="w", zarr_format=version)
    group.create_array("x", data=DATA)
    inner = group.create_group("inner").create_group("most")
    inner.create_array("y", data=DATA + 1)
    inner.create_array("text", shape=(3,), dtype="U4")
    assert np.array_equal(read(folder / "g", dataset="x"), DATA)
    assert np.array_equal(read(folder / "g", dataset="/inner/most/y"), DATA + 1)
    assert np.array_equal(read(folder / "g" / "inner"), DATA + 1)  # the only one below
    error = refusal(folder / "g")
    assert "inner/most/y, x" in error.message and "--dataset" in error.message
    assert "inner/most/y, x" in refusal(folder / "g", dataset="z").message
    assert "no numbers" in refusal(folder / "g", dataset="inner/most/text").message


def test_numbered_arrays_are_shards(folder):
    group = zarr.open_group(folder / "g", mode="w")
    for i in range(12):
        group.create_array(f"part_{i}", data=DATA + i)
    assert np.array_equal(read(folder / "g"), np.concatenate([DATA + i for i in range(12)]))
    libmuster.seal(folder / "g", folder / "seal.json")
    with Dataset(folder / "g") as dataset:
        assert libmuster.check_seal(dataset, folder / "seal.json").shards == 12


def test_many_stores(folder):
    for i in (11, 10, 9):
        put(folder / f"s_{i}.zarr", DATA + i)
    with Dataset(folder) as dataset:
        assert dataset.names == ["s_9.zarr", "s_10.zarr", "s_11.zarr"]
        assert np.array_equal(dataset.read(), np.concatenate([DATA + i for i in (9, 10, 11)]))
    assert np.array_equal(read([str(folder / "s_10.zarr") + "/"]), DATA + 10)


def test_stale_consolidated_metadata(folder):
    group = zarr.open_group(folder / "g", mode="w", zarr_format=2)
    group.create_array("x", data=DATA, chunks=(12, 5), compressors=None)
    zarr.consolidate_metadata(str(folder / "g"))
    change(folder / "g" / "x", shape=[6, 5], chunks=[12, 5])
    assert np.array_equal(read(folder / "g"), DATA[:6])


# ---- codecs -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("location", ["start", "end"])
@pytest.mark.parametrize("codec", [numcodecs.CRC32C, numcodecs.CRC32, numcodecs.Adler32])
def test_checksums_of_version_2(folder, codec, location):
    path = put(
        folder / "a", zarr_format=2, filters=[codec(location=location)], compressors=None
    )
    assert np.array_equal(read(path), DATA)
    content = bytearray((path / "0.0").read_bytes())
    content[6] ^= 1
    (path / "0.0").write_bytes(content)
    assert "checksum" in refusal(path).message


@pytest.mark.parametrize("location", ["start", "end"])
@pytest.mark.parametrize("checksum", [False, True])
def test_shard_index(folder, location, checksum):
    serializer = ShardingCodec(
        chunk_shape=(2, 5),
        codecs=[BytesCodec()],
        index_codecs=[BytesCodec()] + [Crc32cCodec()] * checksum,
        index_location=location,
    )
    path = put(folder / "a", chunks=(6, 5), serializer=serializer, compressors=None, filters=None)
    assert np.array_equal(read(path), DATA)
    shard = path / "c/0/0"
    content = bytearray(shard.read_bytes())
    content[8 if location == "start" else -8 - 4 * checksum] ^= 1  # the length of a chunk
    shard.write_bytes(content)
    assert ("checksum" if checksum else "damaged") in refusal(path).message
    shard.write_bytes(content[:10])
    assert "truncated" in refusal(path).message


@pytest.mark.parametrize("dtype", ["<f4", "<f8", ">f8", "<i2", "|u1"])
def test_differences(folder, dtype):
    array = DATA.astype(dtype)
    path = put(folder / "a", array, zarr_format=2, filters=[numcodecs.Delta(dtype)])
    assert np.array_equal(read(path), array)


def test_filters_that_only_lost_digits(folder):
    path = put(folder / "a", zarr_format=2, filters=[numcodecs.BitRound(keepbits=3)])
    assert np.array_equal(read(path), zarr.open_array(path, mode="r")[:])


@pytest.mark.parametrize(
    "codec, package",
    [
        (numcodecs.PackBits(), "numcodecs"),
        ({"id": "categorize"}, "numcodecs"),
        ({"id": "imagecodecs_jpegxl"}, "imagecodecs"),
        ({"id": "pcodec"}, "numcodecs"),
        ({"id": "no such\ncodec"}, "no package"),
    ],
)
def test_codecs_that_are_not_decoded(folder, codec, package):
    config = codec if isinstance(codec, dict) else codec.get_config()
    path = old_by_hand(folder / "a", {}, compressor=config)
    error = refusal(path)
    assert error.status == "UNSUPPORTED" and package in error.message
    assert config["id"].split()[0] in error.message
    filters = old_by_hand(folder / "b", {}, filters=[config])
    assert refusal(filters).message == error.message


# ---- what is refused ------------------------------------------------------------------------------------------

LARGE = 2**62


@pytest.mark.parametrize(
    "wrong, message",
    [
        ({"data_type": "string"}, "no numbers"),
        ({"data_type": {"name": "fixed_length_utf32", "configuration": {}}}, "no numbers"),
        ({"data_type": "r24"}, "3 bytes"),
        ({"data_type": "r16"}, "--source-dtype"),
        ({"data_type": "int4"}, "int4"),
        ({"data_type": 5}, "data_type"),
        ({"shape": [-1]}, "shape"),
        ({"shape": [2.5]}, "shape"),
        ({"shape": [1] * 65}, "shape"),
        ({"shape": [LARGE]}, "too large"),
        ({"shape": [4, 4]}, "axes"),
        ({"zarr_format": 4}, "zarr_format"),
        ({"node_type": "tree"}, "neither"),
        ({"storage_transformers": [{"name": "x"}]}, "storage_transformers"),
        ({"chunk_grid": {"name": "rectilinear"}}, "rectilinear"),
        ({"chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [0]}}}, "no elements"),
        ({"chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [LARGE]}}}, "4 GiB"),
        ({"chunk_key_encoding": {"name": "hilbert"}}, "hilbert"),
        ({"codecs": []}, "makes bytes"),
        ({"codecs": [{"name": "bytes"}] * 2}, "order"),
        ({"codecs": [{"name": "zstd"}, {"name": "bytes"}]}, None),
        ({"codecs": [{"name": "transpose", "configuration": {"order": [1]}}, "bytes"]}, "transpose"),
        ({"future": {"name": "x"}}, "future"),
    ],
    ids=lambda value: str(value)[:50],
)
def test_refusals(folder, wrong, message):
    path = by_hand(folder / "a", {}, **wrong)
    if message is None:
        return  # read as it is meant
    error = refusal(path)
    assert message in error.message and error.path.endswith(("zarr.json", "a")), error


def test_what_need_not_be_understood(folder):
    path = by_hand(folder / "a", {}, future={"name": "x", "must_understand": False})
    assert read(path).tolist() == [0] * 4


def test_structured_dtypes(folder):
    path = old_by_hand(folder / "a", {}, dtype=[["x", "<f4"], ["why", "<i8"]])
    assert "x, why" in refusal(path).message
    for dtype in ("|O", "<U3", "|S5"):
        assert "no numbers" in refusal(old_by_hand(folder / dtype[1:], {}, dtype=dtype)).message


def test_hostile_shards(folder):
    def sharded(inner, outer, **more):
        configuration = {
            "chunk_shape": inner,
            "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
            "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
        } | more
        return {
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": outer}},
            "codecs": [{"name": "sharding_indexed", "configuration": configuration}],
        }

    path = folder / "a"
    assert "divide" in refusal(by_hand(path, {}, **sharded([3], [4]))).message
    assert "divide" in refusal(by_hand(path, {}, **sharded([0], [4]))).message
    by_hand(path, {"c/0": b"x"}, **sharded([1], [2**40]))
    assert "16 million" in refusal(path).message
    assert "64 bits" in refusal(by_hand(path, {}, **sharded([1], [2**62]))).message
    many = sharded([1], [2**20])
    assert "truncated" in refusal(by_hand(path, {"c/0": b"x" * 100}, **many)).message
    nested = sharded([3], [6], codecs=sharded([2], [3])["codecs"])
    assert "divide" in refusal(by_hand(path, {}, **nested)).message


def test_bombs(folder):
    """Compressed data that are much more than a chunk end where it ends."""
    bomb = numcodecs.Zstd().encode(bytes(1 << 26))
    path = old_by_hand(folder / "a", {"0": bomb}, compressor={"id": "zstd"})
    assert "damaged" in refusal(path).message
    plain = old_by_hand(folder / "b", {"0": bytes(1 << 20)})
    assert "1048576 bytes" in refusal(plain).message


def test_truncated_chunks(folder):
    path = put(folder / "a", compressors=None)
    (path / "c/1/1").write_bytes(b"1234")
    error = refusal(path)
    assert "4 bytes" in error.message and "32" in error.message and error.path.endswith("c/1/1")
    with Dataset(path) as dataset:
        assert np.array_equal(dataset.read(8, 12), DATA[8:])


def test_a_folder_for_a_chunk(folder):
    path = put(folder / "a")
    os.remove(path / "c/0/0")
    (path / "c/0/0").mkdir()
    assert "regular file" in refusal(path).message


def test_zip_stores(folder):
    put(folder / "a.zarr")
    shutil.make_archive(str(folder / "a.zarr"), "zip", folder / "a.zarr")
    error = refusal(folder / "a.zarr.zip")
    assert error.status == "UNSUPPORTED" and "unzip" in error.message


def test_a_plain_folder_is_no_zarr(folder):
    (folder / "x.zarr").mkdir()
    assert refusal(folder / "x.zarr", format="zarr").status == "NOT_FOUND"


def test_a_change_while_it_is_open(folder):
    path = put(folder / "a")
    with Dataset(path) as dataset:
        change(path, shape=[11, 5])
        with pytest.raises(MusterError, match="open it again"):
            dataset.read()
    with Dataset(path) as dataset:
        os.remove(path / "zarr.json")
        with pytest.raises(MusterError, match="open it again"):
            dataset.read()


# ---- writing ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", ">f8", "bool", "int16", "complex64", "<M8[25s]"])
def test_written_arrays(folder, dtype):
    where = folder / "w"
    libmuster.write(where, format="zarr", shard_rows=[40_000, 50], row_shape=[3, 20], dtype=dtype)
    with Dataset(where) as dataset:
        mine = dataset.read()
        shards = [zarr.open_array(path, mode="r")[:] for path, *_ in dataset.shards]
        assert len(list((where / "shard_0000.zarr").glob("c.*"))) > (mine.itemsize > 2)
    theirs = np.concatenate(shards)
    assert theirs.astype(mine.dtype).tobytes() == mine.tobytes() and theirs.dtype == mine.dtype
    assert libmuster.verify(where).seed_checked
    libmuster.seal(where)
    assert libmuster.verify(where).seal_checked
    chunk = where / "shard_0000.zarr" / "c.0.0.0"
    content = bytearray(chunk.read_bytes())
    content[1000] ^= 1
    chunk.write_bytes(content)
    with pytest.raises(MusterError):
        libmuster.verify(where)


def test_clean_takes_what_was_written(folder):
    where = folder / "w"
    libmuster.write(where, format="zarr", rows=100, row_shape=[3], shards=2)
    (where / "shard_0001.zarr" / "mine").touch()
    with pytest.raises(MusterError, match="left"):
        libmuster.clean(where)
    assert (where / "shard_0001.zarr" / "zarr.json").exists()
    os.remove(where / "shard_0001.zarr" / "mine")
    libmuster.clean(where)
    assert not where.exists()


def test_recipe(folder):
    put(folder / "a_0.zarr"), put(folder / "a_1.zarr", DATA + 1)
    text = cli.ok("recipe", folder).out
    assert 'zarr.open_array(path, mode="r")' in text
    compile(text, "recipe", "exec")

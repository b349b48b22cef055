# SPDX-License-Identifier: Apache-2.0
"""
Damaged files: cut at every byte, and every bit of the header flipped. A flipped header is an error,
or what NumPy reads from the same file.
"""

import io
import os
import tempfile
import warnings

import numpy as np
import pytest
from support import env, libmuster, reference
from support.libmuster import FORMAT, MISMATCH, UNSUPPORTED, Dataset, MusterError


@pytest.fixture
def folder():
    """Thousands of files are made here."""
    with tempfile.TemporaryDirectory(prefix="muster-test-", dir=env.SCRATCH) as path:
        yield path


def sample(dtype, order="C", shape=(7, 3)):
    count = int(np.prod(shape))
    array = (np.arange(count) % 251 % 2 if dtype == "|b1" else np.arange(count) * 37 % 251).astype(
        dtype
    )
    return np.asarray(array.reshape(shape), order=order)


def saved(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def by_numpy(content):
    """What np.load makes of the content: an array and the bytes left over, or None."""
    file = io.BytesIO(content)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            array = np.load(file, allow_pickle=False)
        return (array, len(content) - file.tell()) if isinstance(array, np.ndarray) else None
    except Exception:
        return None


SAMPLES = [
    (d, "C", (7, 3)) for d in ("<f4", ">f8", "|b1", "<i2", "|u1", "<c16", "<M8[ns]", "<f2", "<f16")
]
SAMPLES += [
    ("<f4", "F", (7, 3)),
    (">i8", "F", (2, 3, 4)),
    ("<i4", "C", (12,)),
    ("<u4", "C", (0, 3)),
]
IDS = ["-".join([d, o, "x".join(map(str, s))]) for d, o, s in SAMPLES]


@pytest.mark.parametrize("dtype, order, shape", SAMPLES, ids=IDS)
def test_a_npy_cut_at_any_byte_is_an_error(folder, dtype, order, shape):
    content = saved(sample(dtype, order, shape))
    for length in range(len(content)):
        path = reference.put(folder, "x.npy", content[:length])
        with pytest.raises(MusterError) as error, Dataset(path):
            pass
        assert error.value.status == FORMAT and error.value.path == path, (length, error.value)


@pytest.mark.parametrize("per_shard_rows", [True, False])
def test_a_raw_file_cut_at_any_byte_is_an_error(folder, per_shard_rows):
    """Without counts in the sidecar, whole rows are what they are."""
    array = sample("<f4")
    sidecar = {"dtype": "f4", "trailing_shape": [3], "header_bytes": 5}
    if per_shard_rows:
        sidecar["per_shard_rows"] = [7]
    reference.put(folder, "shard_meta.json", sidecar)
    content = b"12345" + array.tobytes()
    for length in range(len(content)):
        path = reference.put(folder, "x.bin", content[:length])
        if not per_shard_rows and length >= 5 and (length - 5) % 12 == 0:
            with Dataset(folder) as dataset:
                assert reference.same(dataset.read(), array[: (length - 5) // 12])
        else:
            with pytest.raises(MusterError) as error, Dataset(folder):
                pass
            assert error.value.status in (FORMAT, MISMATCH) and error.value.path == path, (
                error.value
            )


def test_a_sidecar_cut_at_any_byte_is_an_error(folder):
    reference.put(folder, "x.bin", bytes(84))
    text = b'{"dtype": "float32", "trailing_shape": [3], "per_shard_rows": [7], "byte_order": "little"}'
    for length in range(len(text)):
        reference.put(folder, "shard_meta.json", text[:length])
        with pytest.raises(MusterError) as error, Dataset(folder):
            pass
        assert error.value.status == FORMAT, (length, error.value)


def judge(content, path):
    """(kind, fault): what muster makes of the file, and what is wrong with that."""
    expected = by_numpy(content)
    try:
        with Dataset(path) as dataset:
            if expected is None:
                return "read", "NumPy refuses it"
            array, left = expected
            if not reference.same(dataset.read(), array):
                return "read", "another array than NumPy's"
            if bool(dataset.notes) != (left > 0):
                return "read", f"{left} bytes are left, and the notes are {dataset.notes}"
            return "same, trailing bytes" if left else "same", None
    except MusterError as error:
        wrong = error.status not in (FORMAT, UNSUPPORTED) or error.path != path
        kind = "error where NumPy reads" if expected else "error"
        return kind, str(error) if wrong else None
    except AssertionError as error:
        return "error", str(error)


def damaged_headers(dtype, order, shape):
    """Every bit of the header flipped, one at a time."""
    content = saved(sample(dtype, order, shape))
    data_at = len(content) - int(np.prod(shape)) * np.dtype(dtype).itemsize
    for bit in range(8 * data_at):
        flipped = bytearray(content)
        flipped[bit // 8] ^= 1 << bit % 8
        yield bytes(flipped)


def random_headers(dtype, order, shape, count=250):
    """Several bytes at once, and bytes inserted or left out."""
    content = saved(sample(dtype, order, shape))
    rng = np.random.default_rng(len(content))
    for _ in range(count):
        damaged = bytearray(content)
        for _ in range(rng.integers(1, 5)):
            place, kind = int(rng.integers(0, min(128, len(damaged)))), rng.integers(0, 3)
            if kind == 0:
                damaged[place] = rng.choice(list(b"0123456789()[]{},:'\"<>=|fiu LTF\n\0\xff"))
            elif kind == 1:
                damaged.insert(place, rng.choice(list(b"0123456789, '\"()L")))
            else:
                del damaged[place]
        yield bytes(damaged)


@pytest.mark.parametrize("dtype, order, shape", SAMPLES, ids=IDS)
@pytest.mark.parametrize(
    "damage", [damaged_headers, random_headers], ids=["every bit", "random bytes"]
)
def test_a_damaged_npy_header(folder, damage, dtype, order, shape, record_property):
    """An error, or the array that NumPy reads from the same file; never another one."""
    path = reference.put(folder, "x.npy", saved(sample(dtype, order, shape)))
    counts = dict.fromkeys(["error", "error where NumPy reads", "same", "same, trailing bytes"], 0)
    faults = []
    for content in damage(dtype, order, shape):
        with open(path, "r+b") as file:
            file.truncate(len(content))
            file.write(content)
        kind, fault = judge(content, path)
        counts[kind] = counts.get(kind, 0) + 1
        if fault:
            faults.append((fault, content[:128]))
    print(counts)
    for key, value in counts.items():
        record_property(key, value)
    assert not faults, faults[:5]
    assert counts["error"] > 100
    # Rare spellings only: what is merely damaged into something else that is legal must be read.
    assert counts["error where NumPy reads"] <= 20, counts


def test_every_bit_of_a_sidecar(folder):
    """An error, or what the changed text says by Python's own reader."""
    import json

    array = np.arange(21, dtype="<f4")
    reference.put(folder, "x.bin", array.tobytes())
    text = b'{"dtype": "<f4", "trailing_shape": [3], "per_shard_rows": [7], "header_bytes": 0}'
    good = 0
    for bit in range(8 * len(text)):
        flipped = bytearray(text)
        flipped[bit // 8] ^= 1 << bit % 8
        reference.put(folder, "shard_meta.json", bytes(flipped))
        try:
            with Dataset(folder) as dataset:
                said = json.loads(flipped)
                dtype = np.dtype(said["dtype"])
                shape = (-1, *said.get("trailing_shape", []))
                assert reference.same(dataset.read(), array.view(dtype).reshape(shape)), flipped
                good += 1
        except MusterError as error:
            assert error.status in (FORMAT, UNSUPPORTED, MISMATCH), f"{error}: {flipped}"
    assert good, "not even another byte order"


def test_open_files_do_not_pile_up(folder):
    """After hundreds of errors no descriptor is left."""
    before = len(os.listdir("/proc/self/fd"))
    for length in (0, 5, 60, 130):
        path = reference.put(folder, "x.npy", saved(sample("<f4"))[:length])
        for _ in range(100):
            with pytest.raises(MusterError), Dataset(path):
                pass
    assert len(os.listdir("/proc/self/fd")) == before
    assert libmuster.lib()

# SPDX-License-Identifier: Apache-2.0
"""
Independent reckonings in NumPy and plain Python, by the documented formulas: nothing here calls
libmuster.
"""

import json
import os

import numpy as np

U = np.uint64
GOLDEN = U(0x9E3779B97F4A7C15)


def checksum(array):
    """muster_checksum's formula over the array's C-order native bytes."""
    data = np.ascontiguousarray(array).tobytes()
    words = np.frombuffer(data + bytes(-len(data) % 8), "<u8")
    with np.errstate(over="ignore"):
        x = words + np.arange(1, len(words) + 1, dtype=U) * GOLDEN
        y = (x ^ x >> U(32)) * U(0xD6E8FEB86659FD93)
        return int(np.sum(y ^ y >> U(29), dtype=U))


def seeded(seed, indices):
    """splitmix64 of seed + (index + 1) * GOLDEN."""
    with np.errstate(over="ignore"):
        z = U(seed) + (np.asarray(indices, U) + U(1)) * GOLDEN
        z = (z ^ z >> U(30)) * U(0xBF58476D1CE4E5B9)
        z = (z ^ z >> U(27)) * U(0x94D049BB133111EB)
        return z ^ z >> U(31)


def cells(seed, dtype, lo, count):
    """The values that `muster write` puts into cells [lo, lo + count) of an array, native."""
    dtype = np.dtype(dtype).newbyteorder("=")
    with np.errstate(over="ignore"):
        indices = np.arange(count, dtype=U) + U(lo)
        if dtype.kind == "c":
            part = np.dtype(f"f{dtype.itemsize // 2}")
            result = np.empty(count, dtype)
            result.real = _cells(seeded(seed, indices * U(2)), part)
            result.imag = _cells(seeded(seed, indices * U(2) + U(1)), part)
            return result
        return _cells(seeded(seed, indices), dtype)


def _cells(h, dtype):
    if dtype.kind == "b":
        return (h & U(1)).astype(dtype)
    if dtype.kind in "iu":
        return h.astype(f"u{dtype.itemsize}").view(dtype)
    if dtype.kind in "mM":
        return (h >> U(12)).astype("i8").view(dtype)
    shift, bits = {2: (53, 11), 4: (40, 24), 8: (11, 53)}.get(dtype.itemsize, (11, 53))
    return np.ldexp((h >> U(shift)).astype("f8"), -bits).astype(dtype)


def written(seed, dtype, rows, row_shape=()):
    """The whole array of `muster write`."""
    shape = (rows, *row_shape)
    return cells(seed, dtype, 0, int(np.prod(shape, dtype=int))).reshape(shape)


def same(got, expected):
    """Equal in dtype, shape and every byte."""
    got, expected = np.asarray(got), np.asarray(expected)
    return (
        got.dtype == expected.dtype.newbyteorder("=")
        and got.shape == expected.shape
        and np.ascontiguousarray(got).tobytes() == native(expected).tobytes()
    )


def native(array):
    """The array in C order and this machine's byte order (by astype NumPy loses '>M8' without unit)."""
    result = np.ascontiguousarray(array).reshape(array.shape)
    return (
        result if result.dtype.isnative else result.byteswap().view(result.dtype.newbyteorder("="))
    )


def same_values(got, expected):
    """As `same`, but one NaN is like another: a conversion may change its payload."""
    got, expected = np.asarray(got), np.asarray(expected)
    if got.dtype != expected.dtype or got.shape != expected.shape:
        return False
    if got.dtype.kind == "c":
        return same_values(got.real, expected.real) and same_values(got.imag, expected.imag)
    if got.dtype.kind != "f":
        return np.array_equal(got.view("V%d" % got.itemsize), expected.view("V%d" % got.itemsize))
    numbers = ~np.isnan(expected)
    return (
        np.array_equal(numbers, ~np.isnan(got))
        and np.array_equal(got[numbers], expected[numbers])
        and np.array_equal(np.signbit(got[numbers]), np.signbit(expected[numbers]))
    )


# ---- files written by hand -----------------------------------------------------------------------


def npy(header, data=b"", version=(1, 0), length=None, magic=b"\x93NUMPY"):
    """An npy file: the header's text (not padded) and the data, exactly as they are given."""
    header = (
        header.encode("utf-8" if version[0] >= 3 else "latin1")
        if isinstance(header, str)
        else header
    )
    size = 2 if version[0] == 1 else 4
    length = len(header) if length is None else length
    return magic + bytes(version) + length.to_bytes(size, "little") + header + data


def put(folder, name, content):
    """Writes bytes, or an array as NumPy does, and returns the path."""
    path = os.path.join(os.fsdecode(folder), name)
    if isinstance(content, np.ndarray):
        with open(path, "wb") as file:
            np.lib.format.write_array(file, content, allow_pickle=False)
    elif isinstance(content, dict):
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file)
    else:
        with open(path, "wb") as file:
            file.write(content)
    return path


def age(path, seconds=100):
    """Sets the file's time into the past, so that any later change shows in it."""
    stat = os.stat(path)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns - seconds * 10**9))

# SPDX-License-Identifier: Apache-2.0
"""Hypothesis strategies: random datasets, as NumPy writes them, and what to do with them."""

import dataclasses
import os
import tempfile
from random import Random

import numpy as np
from hypothesis import strategies as st
from support import env, reference
from support.destinations import Destination

UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", "25s", "7D"]
NUMBERS = [
    "?",
    "i1",
    "i2",
    "i4",
    "i8",
    "u1",
    "u2",
    "u4",
    "u8",
    "f2",
    "f4",
    "f8",
    "g",
    "c8",
    "c16",
    "G",
]
TIMES = [f"{kind}8[{unit}]" for kind in "mM" for unit in UNITS] + ["m8", "M8"]

# Hypothesis draws what makes a dataset what it is, so that it can shrink that. Everything else comes
# from a seed that it draws, which is many times quicker than draws one by one.
dtypes = st.sampled_from(2 * NUMBERS + TIMES)
seeds = st.integers(0, 2**32 - 1)


def random_array(rng, shape, dtype):
    """Random bytes, so that every NaN payload and padding byte counts; bools are 0 and 1."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape, dtype=int))
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    return np.frombuffer(rng.bytes(count * dtype.itemsize), dtype).reshape(shape)


#: What goes wrong in conversions: limits, halves, infinities, values just beyond another type.
CORNERS = [0.0, -0.0, 0.5, 1.5, 2.5, -1.0, 1e-8, 65504, 65519.9, 65520, 2**24 + 1, 2.0**53 + 1, 3.4028235e38,
           3.5e38, 1.7976931348623157e308, 5e-324, 1e-45, 6e-8, 2**31, 2**63, -(2**63), np.inf, -np.inf,
           np.nan]  # fmt: skip


def numeric_array(rng, shape, dtype, narrow=False):
    """
    Numbers of every magnitude that the dtype holds, and the corner cases. `narrow`: long doubles
    that a float32 can hold (to float16 NumPy rounds by way of float32, which is none of our
    business to copy).
    """
    dtype = np.dtype(dtype)
    if dtype.kind not in "fc":
        return random_array(rng, shape, dtype)
    if dtype.kind == "c":
        part = np.dtype(dict(F="f4", D="f8", G="g")[dtype.char])
        result = np.empty(shape, dtype.newbyteorder("="))
        result.real = numeric_array(rng, shape, part, narrow)
        result.imag = numeric_array(rng, shape, part, narrow)
        return result.astype(dtype)
    with np.errstate(all="ignore"):
        values = rng.standard_normal(shape) * 10.0 ** rng.integers(-12, 12, shape)
        corner = rng.random(shape) < 0.3
        values = np.where(corner, rng.choice(np.array(CORNERS), shape), values)
        if narrow:
            values = values.astype("f4")
        elif dtype.char == "g":
            values = np.asarray(values, "g") * (
                1 + rng.integers(0, 2, shape) * np.longdouble(2) ** -60
            )
        return np.asarray(values).astype(dtype)


@dataclasses.dataclass
class Made:
    """A dataset on disk, and what NumPy says it is."""

    folder: str
    inputs: list
    options: dict
    paths: list
    parts: list  # the arrays of the shards
    rows: tuple = (None, None)

    @property
    def whole(self):
        """All rows, in native order, those of the row range only."""
        if self.options.get("stack"):
            whole = np.stack([reference.native(p) for p in self.parts])
        else:
            whole = np.concatenate([reference.native(p) for p in self.parts])
        return whole[slice(*self.rows)]


def trailing_shapes(max_rank=3, zeros=True):
    lengths = st.sampled_from([1, 1, 2, 3, 5, 8] + [0] * zeros)
    return st.lists(lengths, max_size=max_rank).map(tuple)


#: Rows of each shard, zero among them.
splits = st.lists(st.sampled_from([0, 1, 1, 2, 3, 5, 9, 17]), min_size=1, max_size=6)


def row_range(random, rows):
    """(lo, hi) as in Python, within the rows; None for an open end."""
    lo, hi = sorted((random.randint(0, rows), random.randint(0, rows)))
    lo, hi = random.choice([(lo, hi), (0, rows)])
    return (
        random.choice([lo, lo - rows if lo < rows else lo, None if lo == 0 else lo]),
        random.choice([hi, hi - rows if hi < rows else hi, None if hi == rows else hi]),
    )


def in_some_order(random, array, orders="CCF"):
    """The array in another byte order or memory order, perhaps."""
    array = array.astype(array.dtype.newbyteorder(random.choice("<<>")), copy=False)
    return np.asarray(array, order=random.choice(orders))


@st.composite
def npy_datasets(draw, values=random_array, types=dtypes, zeros=True):
    """npy files by NumPy: byte order and memory order may differ from shard to shard."""
    seed, dtype = draw(seeds), np.dtype(draw(types))
    trailing, rows = draw(trailing_shapes(zeros=zeros)), draw(splits)
    rng, random = np.random.default_rng(seed), Random(seed)
    parts = [in_some_order(random, values(rng, (r, *trailing), dtype)) for r in rows]
    made = save_npy(parts)
    made.rows = row_range(random, sum(rows))
    made.options = {"rows": made.rows}
    return made


@st.composite
def stacked_datasets(draw):
    """npy files of one shape, 0-d ones too, each of them one index of a new first axis."""
    seed, dtype = draw(seeds), np.dtype(draw(dtypes))
    shape, count = draw(trailing_shapes()), draw(st.integers(1, 6))
    rng, random = np.random.default_rng(seed), Random(seed)
    made = save_npy([in_some_order(random, random_array(rng, shape, dtype)) for _ in range(count)])
    made.rows = row_range(random, count)
    made.options = {"rows": made.rows, "stack": True}
    return made


def save_npy(parts):
    folder = tempfile.mkdtemp(prefix="muster-test-", dir=env.SCRATCH)
    paths = [reference.put(folder, f"shard_{i}.npy", part) for i, part in enumerate(parts)]
    return Made(folder, [folder], {}, paths, parts)


@st.composite
def raw_datasets(draw):
    """Headerless files, described by a sidecar (anywhere) or by options."""
    seed, dtype = draw(seeds), np.dtype(draw(dtypes))
    trailing, rows = draw(trailing_shapes(zeros=False)), draw(splits)
    header, described = draw(st.sampled_from([0, 0, 1, 16, 100])), draw(st.booleans())
    rng, random = np.random.default_rng(seed), Random(seed)
    dtype = dtype.newbyteorder(random.choice("<<>"))
    parts = [random_array(rng, (r, *trailing), dtype) for r in rows]
    folder = tempfile.mkdtemp(prefix="muster-test-", dir=env.SCRATCH)
    paths = [
        reference.put(folder, f"part.{i}.bin", rng.bytes(header) + part.tobytes())
        for i, part in enumerate(parts)
    ]
    made = Made(folder, [folder], {}, paths, parts)
    if described:
        put_sidecar(random, made, dtype, trailing, header)
    else:
        made.options |= {"format": "raw", "source_dtype": dtype.str, "row_shape": trailing}
        if header or random.random() < 0.5:
            made.options["header_bytes"] = header
    made.rows = row_range(random, sum(rows))
    made.options["rows"] = made.rows
    return made


def put_sidecar(random, made, dtype, trailing, header):
    """One of the ways to say the same."""
    big = random.random() < 0.5 and dtype != dtype.newbyteorder("=")
    sidecar = {
        "dtype": dtype.newbyteorder("=").str[1:] if big else dtype.str,
        "trailing_shape": list(trailing),
    }
    if big:
        sidecar["byte_order"] = "big"
    if header or random.random() < 0.5:
        sidecar["header_bytes"] = header
    if random.random() < 0.5:
        sidecar["per_shard_rows"] = [len(p) for p in made.parts]
    name = random.choice(["shard_meta.json", "_meta.json", None])
    if name:
        reference.put(made.folder, name, sidecar)
    else:
        elsewhere = tempfile.mkdtemp(prefix="muster-test-", dir=made.folder)
        made.options["sidecar"] = reference.put(elsewhere, "any.json", sidecar)


def destination(random, shape, dtype):
    """Where to read to: the axes in any order, padded, stepped, reversed, not aligned."""
    axes = [
        (
            axis,
            random.choice([1, 1, 2, 3, -1, -2]),
            random.choice([0, 0, 1, 2]),
            random.choice([0, 0, 1, 3]),
        )
        for axis in random.sample(range(len(shape)), len(shape))
    ]
    return Destination(shape, dtype, axes, random.choice([0, 0, 1, 3, 8, 24]))


def load_options(random):
    return {
        "threads": random.randint(1, 8),
        "tile_rows": random.choice([0, 0, 1, 2, 3, 7, 1000]),
        "over_decompose": random.choice([1, 1, 2, 5]),
        "populate": random.random() < 0.5,
    }


def remove(made):
    """The folder is small and ours; quicker than rmtree."""
    for root, folders, files in os.walk(made.folder, topdown=False):
        for name in files:
            os.unlink(os.path.join(root, name))
        for name in folders:
            os.rmdir(os.path.join(root, name))
    os.rmdir(made.folder)

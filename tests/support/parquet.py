# SPDX-License-Identifier: Apache-2.0
"""
Random Parquet files, as pyarrow writes them, and what NumPy says they hold.

Expected values come from the arrays that the files were made of, never from a reader.
"""

import dataclasses
import os
from random import Random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

FLAT = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8",
        "M8[D]", "M8[ms]", "M8[us]", "M8[ns]", "m8[us]"]  # fmt: skip
CODECS = ["none", "snappy", "gzip", "zstd", "lz4"]


@dataclasses.dataclass
class Column:
    name: str
    values: np.ndarray  # (rows,) + its own axes
    nulls: np.ndarray  # the same shape

    def expected(self, dtype=None, null=None):
        """As `dtype`, nulls as NaN, NaT or the value given."""
        values = self.values.astype(dtype or self.values.dtype)
        if self.nulls.any():
            if null is not None and self.values.dtype.kind in "biu":
                values[self.nulls] = null
            elif values.dtype.kind == "f":
                values[self.nulls] = np.nan
            elif values.dtype.kind in "mM":
                values[self.nulls] = "NaT"
            else:
                raise AssertionError("nulls of integers have no value")
        return values

    def arrow(self, lo, hi):
        return arrow_array(self.values[lo:hi], self.nulls[lo:hi])


def arrow_array(values, nulls):
    """Axes behind the first are fixed-size lists; one is null where all in it are, now and then."""
    if values.ndim == 1:
        type_ = pa.date32() if values.dtype == "M8[D]" else pa.from_numpy_dtype(values.dtype)
        if values.dtype == "M8[D]":
            return pa.array(values.astype("i8").astype("i4"), mask=nulls).cast(type_)
        return pa.array(values, type_, mask=nulls)
    rows, size = values.shape[:2]
    child = arrow_array(values.reshape(-1, *values.shape[2:]), nulls.reshape(-1, *nulls.shape[2:]))
    whole = nulls.all(axis=tuple(range(1, nulls.ndim)))
    whole &= np.arange(rows) % 3 != 1  # a null, or a list of nulls: the same to us
    mask = pa.array(whole) if whole.any() else None
    return pa.FixedSizeListArray.from_arrays(child, size, mask=mask)


def random_values(random, rng, shape, dtype):
    """Few values or many, constant, rising: what encodings are made for."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape))
    style = random.choice(["any", "any", "few", "constant", "rising"])
    if dtype.kind == "b":
        return (rng.random(shape) < random.choice([0, 0.1, 0.5, 1])).astype("?")
    if dtype.kind == "f":
        values = rng.standard_normal(count) * 100
    else:
        bits = dtype.itemsize * 8
        high = 2 ** (bits - 1) - 1 if dtype.kind == "i" else 2**bits - 1
        low = -high if dtype.kind == "i" else 0
        if dtype.kind in "mM":
            low, high = -(2**30), 2**30
        values = rng.integers(low, high, count, dtype="u8" if dtype.kind == "u" else "i8",
                              endpoint=True)  # fmt: skip
    if style == "few" and count:
        values = values[rng.integers(0, min(count, random.choice([2, 9, 300])), count)]
    elif style == "constant" and count:
        values = np.full(count, values[0])
    elif style == "rising":
        values = np.sort(values)
    return values.astype(dtype).reshape(shape)


def random_nulls(random, rng, shape):
    style = random.choice(["none", "none", "some", "many", "runs", "all"])
    count = int(np.prod(shape))
    if style == "none":
        return np.zeros(shape, "?")
    if style == "all":
        return np.ones(shape, "?")
    if style == "runs":
        return (np.sin(np.arange(count) / random.choice([3, 50, 400])) > 0.5).reshape(shape)
    nulls = rng.random(shape) < (0.05 if style == "some" else 0.6)
    if len(shape) > 1:
        nulls |= (rng.random(shape[:1]) < 0.3).reshape(-1, *[1] * (len(shape) - 1))
    return nulls


def writer_options(random, columns):
    options = {
        "compression": random.choice(CODECS),
        "data_page_version": random.choice(["1.0", "1.0", "2.0"]),
        "row_group_size": random.choice([1, 100, 777, 5000, None]),
        "data_page_size": random.choice([1, 100, 4000, None]),
        "write_batch_size": random.choice([1, 10, 500, None]),
        "use_dictionary": random.choice([True, True, False]),
        "write_statistics": random.choice([True, False]),
        "dictionary_pagesize_limit": random.choice([100, 5000, None]),
        "write_page_index": random.choice([True, False]),
        "write_page_checksum": random.choice([True, False]),
    }
    kinds = {column.values.dtype for column in columns}
    if not options["use_dictionary"] and len(kinds) == 1 and columns[0].values.ndim == 1:
        dtype = kinds.pop()
        fits = ["PLAIN", None]
        if dtype.kind in "iumM":
            fits += ["DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"]
        elif dtype.kind == "f":
            fits += ["BYTE_STREAM_SPLIT"]
        else:
            fits += ["RLE"]
        options["column_encoding"] = random.choice(fits)
    return {name: value for name, value in options.items() if value is not None}


@dataclasses.dataclass
class Made:
    paths: list
    columns: list
    dtype: np.dtype | None
    null: int | None
    chosen: list | None

    @property
    def options(self):
        options = {}
        if self.dtype is not None:
            options["dtype"] = self.dtype.name
        if self.null is not None:
            options["null_value"] = str(self.null)
        if self.chosen is not None:
            options["columns"] = [self.columns[i].name for i in self.chosen]
        return options

    @property
    def expected(self):
        order = self.chosen if self.chosen is not None else range(len(self.columns))
        parts = [self.columns[i].expected(self.dtype, self.null) for i in order]
        return parts[0] if len(parts) == 1 else np.stack(parts, axis=1)


def random_table(random, rng):
    """(columns, dtype or None)."""
    rows = random.choice([0, 1, 7, 300, 1025, 4000])
    axes = random.choice([()] * 5 + [(3,), (1,), (2, 4), (7,)])
    count = random.choice([1, 1, 2, 3, 5, 17, 33])
    names = random.sample(["a", "B b", "ä\nö", "c.d", "x=1", "", "価格"] + [f"c{i}" for i in range(40)], count)
    dtypes = [random.choice(FLAT)] * count
    dtype = None
    if count > 1 and random.random() < 0.25:
        dtypes = [random.choice(["i1", "i4", "u2", "f4", "u8", "?"]) for _ in range(count)]
        dtype = np.dtype("f8")
    columns = []
    for name, kind in zip(names, dtypes):
        shape = (rows, *axes)
        values = random_values(random, rng, shape, kind)
        columns.append(Column(name, values, random_nulls(random, rng, shape)))
    return columns, dtype


def make(seed, folder):
    """Files in the folder, in some splits, whose columns stand in any order."""
    random, rng = Random(seed), np.random.default_rng(seed)
    columns, dtype = random_table(random, rng)
    rows = len(columns[0].values)
    options = writer_options(random, columns)
    cuts = sorted(random.choices(range(rows + 1), k=random.choice([0, 0, 1, 3])))
    paths = []
    for number, (lo, hi) in enumerate(zip([0, *cuts], [*cuts, rows])):
        order = list(range(len(columns)))
        if number > 0 and random.random() < 0.5:
            random.shuffle(order)
        table = pa.table([columns[i].arrow(lo, hi) for i in order],
                         names=[columns[i].name for i in order])  # fmt: skip
        paths.append(os.path.join(folder, f"part-{number}.parquet"))
        pq.write_table(table, paths[-1], **options)
    chosen = None
    if random.random() < 0.4:
        chosen = random.sample(range(len(columns)), random.randint(1, len(columns)))
    taken = [columns[i] for i in (chosen if chosen is not None else range(len(columns)))]
    needs_null = dtype is None and taken[0].values.dtype.kind in "biu"
    null = random.choice([0, 1]) if needs_null or random.random() < 0.1 else None
    return Made(paths, columns, dtype, null, chosen)

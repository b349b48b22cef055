# SPDX-License-Identifier: Apache-2.0
"""
Damaged Parquet files: cut anywhere, and some bytes changed. An error, or what pyarrow reads of the same
file; never a crash, and never more memory than the file could need.
"""

import os
import tempfile
from random import Random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support import env, tables
from support.libmuster import FORMAT, Dataset, MusterError

ROWS = 60


def samples():
    """Not zstd: what it makes of damaged data differs between its own versions."""
    numbers = np.arange(ROWS, dtype="i4") % 9
    some = pa.array(numbers, mask=numbers == 4)
    lists = pa.FixedSizeListArray.from_arrays(pa.array(np.arange(3 * ROWS, dtype="f4")), 3)
    return {
        "dictionary": ({"a": some, "b": some}, {"compression": "none"}),
        "snappy": ({"a": numbers, "b": numbers}, {"compression": "snappy"}),
        "delta": ({"a": numbers}, {"use_dictionary": False, "column_encoding": "DELTA_BINARY_PACKED",
                                   "data_page_version": "2.0"}),
        "lists": ({"a": lists}, {"compression": "gzip", "row_group_size": 25}),
    }  # fmt: skip


def by_pyarrow(path):
    """The columns, nulls as 1; None: it cannot be read."""
    try:
        table = pq.read_table(path, partitioning=None)
        columns = [column.combine_chunks() for column in table.columns]
        if pa.types.is_fixed_size_list(columns[0].type):
            columns = [column.flatten() for column in columns]
        return [np.asarray(column.fill_null(1)) for column in columns]
    except Exception:
        return None


def by_muster(path):
    """An array with an axis for the columns, or None; memory is bounded by what the file can hold."""
    try:
        with Dataset(path, null_value="1") as dataset:
            if dataset.rows > 10**6:
                return None
            return dataset.read()
    except MusterError as error:
        assert error.message and error.status
        return None


def mutated(random, content):
    content = bytearray(content)
    for _ in range(random.choice([1, 1, 2, 5])):
        content[random.randrange(4, len(content))] = random.choice([0, 1, 0x7F, 0x80, 0xFF, random.randrange(256)])
    return bytes(content)


@pytest.mark.parametrize("name", samples())
def test_changed_bytes(name):
    table, options = samples()[name]
    random = Random(env.SEED)
    agreed = 0
    with tempfile.TemporaryDirectory(prefix="muster-test-", dir=env.SCRATCH) as folder:
        path = os.path.join(folder, "x.parquet")
        pq.write_table(pa.table(table), path, **options)
        content = open(path, "rb").read()
        for number in range(tables.DAMAGED // 3):
            with open(path, "wb") as file:
                file.write(mutated(random, content))
            got = by_muster(path)
            expected = by_pyarrow(path)
            if got is None or expected is None or len(expected) != len(table):
                continue
            columns = [got] if len(expected) == 1 else [got[:, i] for i in range(len(expected))]
            for ours, theirs in zip(columns, expected):
                if ours.dtype == theirs.dtype and ours.size == theirs.size:
                    assert ours.tobytes() == theirs.tobytes(), number
                    agreed += 1
    assert agreed > tables.DAMAGED / 30


@pytest.mark.parametrize("name", samples())
def test_cut_anywhere(name):
    table, options = samples()[name]
    with tempfile.TemporaryDirectory(prefix="muster-test-", dir=env.SCRATCH) as folder:
        path = os.path.join(folder, "x.parquet")
        pq.write_table(pa.table(table), path, **options)
        content = open(path, "rb").read()
        for length in range(4, len(content)):
            with open(path, "wb") as file:
                file.write(content[:length])
            with pytest.raises(MusterError) as error, Dataset(path):
                pass
            assert error.value.status == FORMAT

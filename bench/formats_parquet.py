# SPDX-License-Identifier: Apache-2.0
"""Parquet: sixteen columns, with and without compression, and other ways to get them as one array."""

import importlib.util

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from formats import Case
from limits import Compressed

ROWS, COLUMNS = 4_000_000, 16


def writer(few=False, **options):
    """Random numbers, or few different ones, as measured data have: they compress, by a dictionary or a codec."""

    def write(path, rows):
        array = np.random.default_rng(1).standard_normal((COLUMNS, rows)).astype("f4")
        if few:
            array = np.round(array * 300).astype("f4")
        pq.write_table(pa.table({f"c{i}": array[i] for i in range(COLUMNS)}), path, **options)

    return write


def by_pyarrow(path):
    table = pq.read_table(path)
    out = np.empty((table.num_rows, table.num_columns), "f4")
    for i, column in enumerate(table.columns):
        out[:, i] = column.to_numpy()
    return out


def by_polars(path):
    import polars

    return polars.read_parquet(path).to_numpy(order="c")


def by_polars_frame(path):
    """Columns that lie apart: less work than one array."""
    import polars

    return polars.read_parquet(path)


def by_duckdb(path):
    import duckdb

    columns = duckdb.read_parquet(str(path)).fetchnumpy()
    return np.stack(list(columns.values()), axis=1)


def by_pandas(path):
    import pandas

    return np.ascontiguousarray(pandas.read_parquet(path).to_numpy())


class Header:
    """Of a page: Thrift's compact protocol, as far as these files need it."""

    def __init__(self, data, at):
        self.data, self.at = data, at
        fields = self.struct()
        self.size, self.length = fields[2], fields[3]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def value(self, kind):
        if kind == 8:  # binary
            length = self.varint()
            self.at += length
            return None
        if kind == 12:
            return self.struct()
        return kind == 1 if kind < 3 else self.varint() >> 1  # lengths are not negative

    def struct(self):
        fields, number = {}, 0
        while byte := self.data[self.at]:
            self.at += 1
            number += byte >> 4
            fields[number] = self.value(byte & 15)
        self.at += 1
        return fields


def pages(path):
    """What is compressed: whole pages, of version 1."""
    data, metadata, found = path.read_bytes(), pq.read_metadata(path), []
    for group in range(metadata.num_row_groups):
        for column in range(metadata.num_columns):
            chunk = metadata.row_group(group).column(column)
            at = chunk.data_page_offset
            end = at + chunk.total_compressed_size
            while at < end:
                header = Header(data, at)
                found.append(Compressed(path, header.at, header.length, header.size))
                at = header.at + header.length
    return found


def peers():
    """The first one is what the others are compared with; those that are installed."""
    known = {"polars": ("polars", by_polars), "polars, a frame": ("polars", by_polars_frame),
             "duckdb": ("duckdb", by_duckdb), "pandas": ("pandas", by_pandas)}  # fmt: skip
    found = {"pyarrow": by_pyarrow}
    for name, (module, function) in known.items():
        if importlib.util.find_spec(module) is not None:
            found[name] = function
    return found


def case(name, target, codec="", **options):
    pieces = pages if codec else None
    made = writer(**options)
    return Case(f"parquet, {name}", made, ROWS, ".parquet", peers(), target, codec=codec, pieces=pieces)


CASES = [
    case("not compressed", 2.0, compression="none", use_dictionary=False),
    case("snappy", 2.0, "snappy", few=True, compression="snappy", use_dictionary=False),
    case("zstd", 2.0, "zstd", few=True, compression="zstd", use_dictionary=False),
    case("dictionary", 1.0, few=True),
]

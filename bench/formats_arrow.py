# SPDX-License-Identifier: Apache-2.0
"""Arrow files and npz archives: cases of bench/formats.py."""

import numpy as np
import pyarrow as pa
from formats import Case, also
from limits import Compressed

COLUMNS = 16


def values(rows):
    """Somewhat compressible, as measured data are."""
    rng = np.random.default_rng(1)
    return (rng.standard_normal((rows, COLUMNS)) * 100).round(1).astype("f4")


def write_columns(compression, batch):
    def write(path, rows):
        data = values(rows)
        table = pa.table({f"c{i}": data[:, i] for i in range(COLUMNS)})
        options = pa.ipc.IpcWriteOptions(compression=compression)
        with pa.ipc.new_file(path, table.schema, options=options) as writer:
            writer.write_table(table, batch)

    return write


def write_lists(path, rows):
    table = pa.table({"x": pa.FixedSizeListArray.from_arrays(values(rows).reshape(-1), COLUMNS)})
    with pa.ipc.new_file(path, table.schema) as writer:
        writer.write_table(table, 1 << 20)


def read_columns(path):
    table = pa.ipc.open_file(pa.memory_map(str(path))).read_all()
    array = np.empty((table.num_rows, table.num_columns), "f4")
    for i, column in enumerate(table.columns):
        array[:, i] = column
    return array


def read_record_batches(path):
    """Arrow's own way to two dimensions."""
    reader = pa.ipc.open_file(pa.memory_map(str(path)))
    batches = [reader.get_batch(i) for i in range(reader.num_record_batches)]
    return np.concatenate([batch.to_tensor(row_major=True).to_numpy() for batch in batches])


def read_lists(path):
    table = pa.ipc.open_file(pa.memory_map(str(path))).read_all()
    return np.concatenate([c.values.to_numpy().reshape(-1, COLUMNS) for c in table["x"].chunks])


def frames(magic):
    """Compressed buffers: each begins at a multiple of 8 bytes, behind its length when decoded."""

    def find(path):
        words = np.fromfile(path, "<u4", count=path.stat().st_size // 8 * 2).reshape(-1, 2)
        at = np.flatnonzero((words[:, 0] == magic) & (np.roll(words[:, 1], 1) == 0))
        ends = [*at[1:] - 1, len(words)]
        return [Compressed(path, int(i) * 8, int(end - i) * 8, int(words[i - 1, 0]))
                for i, end in zip(at, ends, strict=True)]  # fmt: skip

    return find


def write_npz(save):
    return lambda path, rows: save(path, x=values(rows))


def read_npz(path):
    with np.load(path) as archive:
        return archive["x"]


BOTH = {"pyarrow, columns": read_columns, "pyarrow, to_tensor": read_record_batches}
LZ4 = {"codec": "lz4 frame", "pieces": frames(0x184D2204)}
ZSTD = {"codec": "zstd", "pieces": frames(0xFD2FB528)}
COLUMNS_APART = Case("arrow, columns", write_columns(None, 1 << 16), 8_000_000, ".arrow", BOTH, of_limit=0.5)
CASES = [
    COLUMNS_APART,
    also(COLUMNS_APART, "cold", 0.85),
    Case("arrow, columns, one batch", write_columns(None, None), 8_000_000, ".arrow", BOTH, of_limit=0.5),
    Case("arrow, lz4", write_columns("lz4", 1 << 16), 4_000_000, ".arrow", BOTH, **LZ4),
    Case("arrow, zstd", write_columns("zstd", 1 << 16), 4_000_000, ".arrow", BOTH, **ZSTD),
    Case("arrow, lists", write_lists, 8_000_000, ".arrow", {"pyarrow": read_lists}, of_limit=0.5),
    Case("npz, stored", write_npz(np.savez), 4_000_000, ".npz", {"NumPy": read_npz}, of_limit=0.9),
    Case("npz, deflated", write_npz(np.savez_compressed), 500_000, ".npz", {"NumPy": read_npz}, target=1.0),
]

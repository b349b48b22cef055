# SPDX-License-Identifier: Apache-2.0
"""Checksums of pages, which pyarrow writes when it is told to: compared where they are there."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.libmuster import FORMAT, UNSUPPORTED, Dataset, MusterError

ROWS = 500
NUMBERS = np.arange(ROWS, dtype="i4") % 37
KINDS = {
    "dictionary": {"use_dictionary": True, "compression": "none"},
    "plain": {"use_dictionary": False, "compression": "none"},
    "snappy": {"use_dictionary": False, "compression": "snappy"},
    "version 2": {"use_dictionary": False, "compression": "zstd", "data_page_version": "2.0"},
}


def by_pyarrow(path):
    try:
        return np.asarray(pq.read_table(path, page_checksum_verification=True)["a"])
    except OSError:
        return None


def by_muster(path):
    try:
        with Dataset(path) as dataset:
            return dataset.read()
    except MusterError as error:
        return error


def write(path, kind, checksums):
    table = pa.table({"a": NUMBERS})
    pq.write_table(table, path, write_page_checksum=checksums, write_statistics=False, **KINDS[kind])
    return path.read_bytes(), pq.ParquetFile(path).metadata.row_group(0).column(0)


@pytest.mark.parametrize("kind", KINDS)
def test_right_ones(tmp_path, kind):
    for checksums in False, True:
        write(tmp_path / "x.parquet", kind, checksums)
        assert np.array_equal(by_muster(tmp_path / "x.parquet"), NUMBERS)


@pytest.mark.parametrize("kind", KINDS)
def test_changed_bytes(tmp_path, kind):
    """A bit of any page; pyarrow says what is to be seen."""
    path = tmp_path / "x.parquet"
    content, column = write(path, kind, True)
    begin = column.dictionary_page_offset if column.has_dictionary_page else column.data_page_offset
    seen = 0
    for at in range(begin, begin + column.total_compressed_size, 7):
        bad = bytearray(content)
        bad[at] ^= 4
        path.write_bytes(bad)
        found = by_muster(path)
        if by_pyarrow(path) is None:
            assert isinstance(found, MusterError) and found.status in (FORMAT, UNSUPPORTED), at
            seen += "the checksum of a page is wrong" in found.message
        else:
            assert not isinstance(found, np.ndarray) or np.array_equal(found, NUMBERS), at
    assert seen > column.total_compressed_size / 7 / 2


def test_without_checksums_nothing_is_seen(tmp_path):
    path = tmp_path / "x.parquet"
    content, column = write(path, "plain", False)
    bad = bytearray(content)
    bad[column.data_page_offset + column.total_compressed_size - 1] ^= 4
    path.write_bytes(bad)
    assert by_muster(path)[-1] == NUMBERS[-1] ^ 4 << 24

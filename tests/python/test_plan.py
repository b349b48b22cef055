# SPDX-License-Identifier: Apache-2.0
"""The plan, against its rules reckoned row by row or with unbounded integers."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import libmuster
from support.libmuster import USAGE, Dataset, MusterError, ReaderDataset


def dataset_of(shard_rows, **options):
    """A dataset of these shards without any file."""
    return ReaderDataset(
        lambda shard: shard_rows[shard], lambda *_: b"", len(shard_rows), **options
    )


def reference_tiles(total, procs, over_decompose, tile_rows):
    """(lo, hi) of each tile by the rule, whatever the shards."""
    tile_rows = tile_rows or max(1, -(-total // (over_decompose * procs)))
    return [(lo, min(lo + tile_rows, total)) for lo in range(0, total, tile_rows)]


def reference_slices(shard_rows, lo, hi, first=0):
    """Slices of rows [lo, hi) of a dataset that begins at row `first` of the shards."""
    slices, start = [], 0
    for shard, rows in enumerate(shard_rows):
        a, b = max(lo + first, start), min(hi + first, start + rows)
        if a < b:
            slices.append((shard, a - start, b - start, a - lo - first, b - lo - first))
        start += rows
    return slices


rows_lists = st.one_of(
    st.lists(st.integers(0, 12), min_size=1, max_size=12),
    st.tuples(st.integers(0, 9), st.integers(1, 9)).map(lambda t: [t[0]] * t[1]),
    st.lists(st.sampled_from([0, 1, 2**20, 2**32 + 1, 2**40 - 1]), min_size=1, max_size=6),
)


@settings(max_examples=600)
@given(st.data())
def test_tiles_and_slices_follow_the_rules(data):
    shard_rows = data.draw(rows_lists)
    total = sum(shard_rows)
    procs, over = data.draw(st.integers(1, 20)), data.draw(st.sampled_from([1, 1, 2, 3, 7]))
    tile_rows = data.draw(st.sampled_from([0, 0, max(1, total // 5), max(1, total), total + 1]))
    with dataset_of(shard_rows) as dataset:
        tiles = dataset.plan(procs=procs, over_decompose=over, tile_rows=tile_rows)
    assert [t[:2] for t in tiles] == reference_tiles(total, procs, over, tile_rows)
    for lo, hi, slices in tiles:
        assert slices == reference_slices(shard_rows, lo, hi)
    if (
        len(set(shard_rows)) == 1
        and shard_rows[0]
        and len(shard_rows) == procs
        and over == 1
        and not tile_rows
    ):
        assert [s for _, _, s in tiles] == [[(i, 0, r, 0, r)] for i, r in enumerate(shard_rows)]


@settings(max_examples=200)
@given(st.data())
def test_the_plan_of_a_row_range_covers_it_once(data):
    """However the tiles are cut: in order, none empty, none left out, the slices inside the range."""
    shard_rows = data.draw(st.lists(st.integers(0, 12), min_size=1, max_size=8))
    total = sum(shard_rows)
    lo = data.draw(st.integers(0, total))
    hi = data.draw(st.integers(lo, total))
    procs, over = data.draw(st.integers(1, 9)), data.draw(st.sampled_from([1, 2]))
    with dataset_of(shard_rows, rows=(lo, hi)) as dataset:
        assert dataset.rows == hi - lo
        tiles = dataset.plan(procs=procs, over_decompose=over)
    ends = [0] + [t[1] for t in tiles]
    assert [t[0] for t in tiles] == ends[:-1] and ends[-1] == hi - lo
    assert all(a < b for a, b, _ in tiles) and len(tiles) <= min(hi - lo, procs * over)
    for a, b, slices in tiles:
        assert slices == reference_slices(shard_rows, a, b, first=lo)


@settings(max_examples=100)
@given(st.lists(st.integers(0, 9), min_size=1, max_size=8), st.integers(1, 9), st.integers(1, 3))
def test_the_slices_of_a_plan_assemble_the_array(shard_rows, procs, over):
    parts = np.split(np.arange(sum(shard_rows)), np.cumsum(shard_rows)[:-1])
    with dataset_of(shard_rows) as dataset:
        for lo, hi, slices in dataset.plan(procs=procs, over_decompose=over):
            tile = np.full(hi - lo, -1)
            for shard, file_lo, file_hi, dst_lo, dst_hi in slices:
                assert (tile[dst_lo:dst_hi] == -1).all()
                tile[dst_lo:dst_hi] = parts[shard][file_lo:file_hi]
            assert tile.tolist() == list(range(lo, hi))


def test_fewer_rows_than_processors_are_fewer_tiles():
    with dataset_of([3]) as dataset:
        assert [t[:2] for t in dataset.plan(procs=100)] == [(0, 1), (1, 2), (2, 3)]
    with dataset_of([0, 0]) as dataset:
        assert dataset.plan(procs=4) == []


def test_a_tile_is_a_shard_when_they_are_as_many():
    with dataset_of([5, 5, 5]) as dataset:
        assert [s for *_, s in dataset.plan(procs=3)] == [[(i, 0, 5, 0, 5)] for i in range(3)]
        assert len(dataset.plan(procs=3, over_decompose=2)) == 5


@pytest.mark.parametrize(
    "procs, over, tile_rows",
    [
        (2**63, 1, 0),
        (2**64 - 1, 1, 0),
        (1, 2**64 - 1, 0),
        (2**40, 2**40, 0),
        (2**32, 2**32, 0),
        (2**64 - 1, 2**64 - 1, 0),
        (1, 1, 2**64 - 1),
        (3, 1, 2**63),
    ],
)
def test_huge_numbers_do_not_wrap(procs, over, tile_rows):
    with dataset_of([4, 3]) as dataset:
        try:
            tiles = dataset.plan(procs=procs, over_decompose=over, tile_rows=tile_rows)
            assert [t[:2] for t in tiles] == reference_tiles(7, procs, over, tile_rows)
        except MusterError as error:
            assert error.status == USAGE and procs * over >= 2**64


def test_rows_near_the_limit():
    rows = 2**62
    with dataset_of([rows, rows - 1], source="i1") as dataset:
        tiles = dataset.plan(procs=4)
        assert [t[:2] for t in tiles] == reference_tiles(2 * rows - 1, 4, 1, 0)
        assert tiles[3][2] == [(1, rows // 2, rows - 1, 0, rows // 2 - 1)]


def test_rows_that_overflow_are_refused():
    with pytest.raises(MusterError) as error:
        dataset_of([2**63, 2**63])
    assert error.value.status in (
        libmuster.MISMATCH,
        libmuster.FORMAT,
        libmuster.USAGE,
        libmuster.MEMORY,
    )


@pytest.mark.parametrize("options", [{"procs": 0}, {"procs": 2, "over_decompose": 0}])
def test_no_processors_are_refused(options):
    with dataset_of([4]) as dataset, pytest.raises(MusterError) as error:
        dataset.plan(**options)
    assert error.value.status == USAGE


def test_many_shards_are_planned_quickly():
    """Binary search: a million tiles of 100,000 shards would not end otherwise."""
    with Dataset("null:1000000:int8:100000") as dataset:
        tiles = dataset.plan(procs=1000)
        assert len(tiles) == 1000
        assert sum(len(s) for *_, s in tiles) == math.ceil(100000)

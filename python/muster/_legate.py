# SPDX-License-Identifier: Apache-2.0
"""The Legate backend: a task for each tile, which reads its rows where they will be used.

Whatever can be known beforehand is checked before the launch: a task that fails ends in an exception
here, but memory that runs out ends the process. Every rank runs this code, and opens the dataset
for itself; the tasks of a process find it by a number that all ranks count alike.
"""

from __future__ import annotations

import contextlib
import gc
import itertools
import math
import threading
from collections.abc import Iterator
from typing import Any

from legate.core import (
    LEGATE_MAX_DIM,
    LogicalArray,
    LogicalStore,
    TaskContext,
    VariantCode,
    as_logical_array,
    get_legate_runtime,
    types,
)
from legate.core.task import OutputStore, task

from muster import errors
from muster._numpy import check_fits
from muster._progress import Meter, Wish
from muster.dataset import Dataset


class _Load:
    """What the tasks of one load share in this process."""

    def __init__(self, dataset: Dataset, meter: Meter) -> None:
        self.dataset, self._meter = dataset, meter
        self._lock, self._done = threading.Lock(), 0

    def note(self, count: int) -> None:
        with self._lock:
            self._done += count
            self._meter.update(self._done)


_numbers = itertools.count()
_loads: dict[int, _Load] = {}


@task(variants=(VariantCode.CPU, VariantCode.OMP, VariantCode.GPU))  # type: ignore[untyped-decorator]
def _load_tile(ctx: TaskContext, tile: OutputStore, number: int) -> None:
    """Rows of the dataset into a tile, which says itself which they are."""
    memory = tile.get_inline_allocation()
    lo = tile.domain.lo[0]
    rows = memory.shape[0]
    load = _loads[number]
    load.dataset.read_rows(lo, lo + rows, memory.ptr, memory.strides)
    load.note(rows * load.dataset.row_bytes)


# ---- before the launch -----------------------------------------------------------------------------


def _new_array(dataset: Dataset) -> Any:
    import cupynumeric

    try:
        return cupynumeric.empty(dataset.shape, dtype=dataset.dtype)
    except (TypeError, ValueError) as error:
        raise errors.DataError(f"cuPyNumeric has no arrays of {dataset.dtype.name}: {error}") from None


def _store_of(dataset: Dataset, out: Any) -> LogicalStore:
    if isinstance(out, LogicalStore):
        store = out
    else:
        array = out if isinstance(out, LogicalArray) else as_logical_array(out)
        if array.nullable:
            raise errors.UsageError("out: arrays with nulls cannot be loaded into")
        store = array.data
    check_fits(dataset, tuple(store.shape), store.type.to_numpy_dtype())
    return store


def _check_memory(dataset: Dataset, tile_bytes: int, tiles: int, where: str) -> None:
    """A tile needs its place in the memory of a processor, and Legate cannot refuse one."""
    runtime = get_legate_runtime()
    machine = runtime.get_machine()
    config = runtime.realm_config() if hasattr(runtime, "realm_config") else None
    if config is None:
        return
    on_gpu = machine.preferred_target.name == "GPU"
    option, limit = ("--fbmem", config.fbmem) if on_gpu else ("--sysmem", config.sysmem)
    places = machine.count() if on_gpu else runtime.node_count
    need = math.ceil(tiles / max(1, places)) * tile_bytes
    if limit and need > limit:
        raise errors.OutOfMemoryError(
            f"the array takes {need:,} bytes of {where if not on_gpu else 'each GPU'}, and Legate has "
            f"{limit:,}: start it with {option} {math.ceil(need * 1.25 / 2**20)} or more (MiB)"
        )


def _tile_rows(dataset: Dataset, procs: int, over_decompose: int, tile_rows: int | None) -> int:
    rows = dataset.shape[0]
    if over_decompose < 1 or (tile_rows is not None and tile_rows < 1):
        raise errors.UsageError("over_decompose and tile_rows are at least 1")
    return tile_rows or max(1, math.ceil(rows / (over_decompose * procs)))


# ---- loading ---------------------------------------------------------------------------------------


@contextlib.contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """In a task it would free arrays of the program's that hang in cycles, which ends the process:
    tasks may not call the runtime."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _launch(store: LogicalStore, tile_rows: int, load: _Load) -> None:
    runtime = get_legate_runtime()
    tiles = store.partition_by_tiling((tile_rows, *tuple(store.shape)[1:]))
    number = next(_numbers)
    _loads[number] = load
    try:
        launch = runtime.create_manual_task(_load_tile.library, _load_tile.task_id, tiles.color_shape)
        launch.add_output(tiles)
        launch.add_scalar_arg(number, types.int64)
        launch.throws_exception(errors.Error)
        with _no_garbage_collection():
            launch.execute()
            runtime.issue_execution_fence(block=True)
    finally:
        del _loads[number]


def load(
    dataset: Dataset,
    out: Any,
    *,
    tile_rows: int | None,
    over_decompose: int | None,
    progress: Wish,
) -> Any:
    if len(dataset.shape) > LEGATE_MAX_DIM:
        raise errors.DataError(
            f"arrays of Legate have at most {LEGATE_MAX_DIM} axes, not {len(dataset.shape)}"
        )
    array = _new_array(dataset) if out is None else out
    store = _store_of(dataset, array)
    if 0 in dataset.shape:
        return array
    machine = get_legate_runtime().get_machine()
    rows = _tile_rows(dataset, machine.count(), over_decompose or 1, tile_rows)
    _check_memory(dataset, rows * dataset.row_bytes, math.ceil(dataset.shape[0] / rows), "this machine")
    meter = Meter(progress, dataset.nbytes)
    _launch(store, rows, _Load(dataset, meter))
    meter.finish()
    return array

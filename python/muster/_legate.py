# SPDX-License-Identifier: Apache-2.0
"""The Legate backend: a task for each tile, which reads its rows where they will be used.

Whatever can be known beforehand is checked before the launch: a task that fails ends in an exception
here, but memory that runs out ends the process. Every rank runs this code, and opens the dataset
for itself; the tasks of a process find it by a number that all ranks count alike.
"""

from __future__ import annotations

import gc
import itertools
import math
import os
import re
import threading
from typing import Any

import numpy as np
from legate.core import (
    LEGATE_MAX_DIM,
    LogicalArray,
    LogicalStore,
    TaskContext,
    TaskTarget,
    VariantCode,
    as_logical_array,
    get_legate_runtime,
    types,
)
from legate.core.task import OutputStore, task

from muster import _garbage, _gpu, _ranks, errors
from muster._library import ffi, lib
from muster._numpy import check_fits
from muster._progress import Meter, Wish, watched
from muster._ranks import open_on_all as open_on_all
from muster.dataset import Dataset


class _Load:
    """What the tasks of one load share in this process."""

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset
        self._lock, self._done = threading.Lock(), 0
        self._errors: list[errors.Error] = []

    def note(self, count: int) -> None:
        with self._lock:
            self._done += count

    def keep(self, error: errors.Error) -> None:
        with self._lock:
            self._errors.append(error)

    def error(self) -> errors.Error | None:
        """The first that a task of this process met."""
        return self._errors[0] if self._errors else None

    def bytes_done(self) -> int:
        return self._done


#: Of its memory, Legate itself takes a little for each instance.
_SPARE = 1 << 20

_numbers = itertools.count()
_loads: dict[int, _Load] = {}


def _read_tile(ctx: TaskContext, tile: OutputStore, number: int) -> tuple[_Load, int, int]:
    """Rows of the dataset into a tile, which says itself which they are: (the load, rows lo, hi)."""
    memory = tile.get_inline_allocation()
    load, lo = _loads[number], tile.domain.lo[0]
    hi = lo + memory.shape[0]
    try:
        if ctx.get_variant_kind() == VariantCode.GPU:
            _gpu.read_rows(load.dataset, lo, hi, memory.ptr, memory.strides, ctx.task_stream)
        else:
            if memory.strides[0] == load.dataset.row_bytes:
                lib.muster_populate(ffi.cast("void *", memory.ptr), (hi - lo) * load.dataset.row_bytes)
            load.dataset.read_rows(lo, hi, memory.ptr, memory.strides)
    except Exception as error:
        # A long text ends the process on its way out of the task, and so does another kind of
        # exception: the fault itself is kept here, and what is raised only says that there is one.
        load.keep(_ranks.name_rank(errors.of(error)))
        raise errors.Error("a tile could not be read") from None
    load.note((hi - lo) * load.dataset.row_bytes)
    return load, lo, hi


@task(variants=(VariantCode.CPU, VariantCode.OMP, VariantCode.GPU))  # type: ignore[untyped-decorator]
def _load_tile(ctx: TaskContext, tile: OutputStore, number: int) -> None:
    _read_tile(ctx, tile, number)


@task(variants=(VariantCode.CPU, VariantCode.OMP))  # type: ignore[untyped-decorator]
def _load_and_sum_tile(ctx: TaskContext, tile: OutputStore, total: OutputStore, number: int) -> None:
    """The same, and the tile's part of the checksum; tiles begin at multiples of 8 bytes."""
    load, lo, _ = _read_tile(ctx, tile, number)
    rows = np.ascontiguousarray(np.asarray(tile))
    part = lib.muster_checksum_part(
        ffi.cast("void *", rows.ctypes.data), rows.nbytes, lo * load.dataset.row_bytes
    )
    np.asarray(total)[0] = part


# ---- before the launch -----------------------------------------------------------------------------


def _new_array(dataset: Dataset) -> Any:
    import cupynumeric

    if len(dataset.shape) > LEGATE_MAX_DIM:
        raise errors.DataError(
            f"arrays of Legate have at most {LEGATE_MAX_DIM} axes, not {len(dataset.shape)}"
        )
    try:
        return cupynumeric.empty(dataset.shape, dtype=dataset.dtype)
    except (TypeError, ValueError) as error:
        way_out = 'open it with dtype="int64"' if dataset.dtype.kind in "mM" else str(error)
        raise errors.DataError(f"cuPyNumeric has no arrays of {dataset.dtype.name}: {way_out}") from None


def _store_of(dataset: Dataset, out: Any) -> LogicalStore:
    if not getattr(getattr(out, "flags", None), "writeable", True):
        raise errors.UsageError("out: its memory may not be written to")
    if isinstance(out, LogicalStore):
        store = out
    else:
        array = out if isinstance(out, LogicalArray) else as_logical_array(out)
        if array.nullable:
            raise errors.UsageError("out: arrays with nulls cannot be loaded into")
        store = array.data
    # How a store is laid over memory is told by its text alone.
    if any(int(size) > 1 for size in re.findall(r"Promote\(extra_dim: \d+, dim_size: (\d+)", str(store))):
        raise errors.UsageError("out: it is broadcast, so that several cells are one place")
    check_fits(dataset, tuple(store.shape), store.type.to_numpy_dtype())
    return store


def _memory(kind: str) -> int:
    """Bytes of that memory of Legate's; 0: unknown."""
    runtime = get_legate_runtime()
    if hasattr(runtime, "realm_config"):
        return int(getattr(runtime.realm_config(), kind))
    said = re.findall(rf"--{kind}[ =](\d+)", os.environ.get("LEGATE_CONFIG", ""))  # before 26.6
    return int(said[-1]) << 20 if said else 0


def _check_memory(dataset: Dataset, tile_bytes: int, tiles: int) -> None:
    """A tile needs its place in the memory of a processor, and Legate cannot refuse one."""
    runtime = get_legate_runtime()
    machine = runtime.get_machine()
    on_gpu = machine.preferred_target == TaskTarget.GPU
    option, limit = ("--fbmem", _memory("fbmem")) if on_gpu else ("--sysmem", _memory("sysmem"))
    count = max(1, machine.count())
    together = 1 if on_gpu else min(count, machine.get_processor_range().per_node_count)
    need = math.ceil(tiles * together / count) * tile_bytes
    if need > limit // 4:
        gc.collect()  # arrays that only hang in cycles take memory, too
    if limit and need + _SPARE > limit:
        where = "each GPU" if on_gpu else "each node"
        raise errors.OutOfMemoryError(
            f"the array takes {need:,} bytes of {where}, and Legate has {limit:,}: "
            f"start it with {option} {math.ceil(need * 1.25 / 2**20)} or more (MiB)"
        )


def _tile_rows(dataset: Dataset, procs: int, over_decompose: int, tile_rows: int | None) -> int:
    rows = dataset.shape[0]
    if over_decompose < 1 or (tile_rows is not None and tile_rows < 1):
        raise errors.UsageError("over_decompose and tile_rows are at least 1")
    return min(tile_rows or max(1, math.ceil(rows / (over_decompose * procs))), rows)


def describe_machine() -> str:
    """Where tasks run: "2 CPUs", or "2 CPUs of 2 ranks" (what Legate calls nodes)."""
    runtime = get_legate_runtime()
    machine = runtime.get_machine()
    count, ranks = machine.count(), runtime.node_count
    kind = "GPU" if machine.preferred_target == TaskTarget.GPU else "CPU"
    processors = f"{count} {kind}{'' if count == 1 else 's'}"
    return processors if ranks == 1 else f"{processors} of {ranks} ranks"


def is_first_rank() -> bool:
    return bool(get_legate_runtime().node_id == 0)


# ---- loading ---------------------------------------------------------------------------------------


def _launch(store: LogicalStore, tile_rows: int, load: _Load, sums: LogicalStore | None) -> None:
    runtime = get_legate_runtime()
    tiles = store.partition_by_tiling((tile_rows, *tuple(store.shape)[1:]))
    body = _load_tile if sums is None else _load_and_sum_tile
    number = next(_numbers)
    _loads[number] = load
    try:
        launch = runtime.create_manual_task(body.library, body.task_id, (tiles.color_shape[0],))
        launch.add_output(tiles)
        if sums is not None:
            launch.add_output(sums.partition_by_tiling((1,)))
        launch.add_scalar_arg(number, types.int64)
        launch.throws_exception(errors.Error)
        with _garbage.paused():
            launch.execute()
            runtime.issue_execution_fence(block=True)
    except errors.Error as error:
        # Every rank is told that some task has failed; now all are told of the same fault.
        raise _ranks.agree_on_error(load.error()) or error from None
    finally:
        del _loads[number]


def _load_into(
    dataset: Dataset, array: Any, tile_rows: int | None, over_decompose: int, progress: Wish, with_sum: bool
) -> int | None:
    """Loads into the array; the checksum, if it is wanted."""
    store = _store_of(dataset, array)
    if 0 in dataset.shape:
        return 0 if with_sum else None
    machine = get_legate_runtime().get_machine()
    rows = _tile_rows(dataset, machine.count(), over_decompose, tile_rows)
    if with_sum:
        step = 8 // math.gcd(8, dataset.row_bytes)
        rows = math.ceil(rows / step) * step
    tiles = math.ceil(dataset.shape[0] / rows)
    _check_memory(dataset, rows * dataset.row_bytes, tiles)
    sums = None
    if with_sum:
        import cupynumeric

        sums = cupynumeric.zeros((tiles,), dtype=np.uint64)
    load, meter = _Load(dataset), Meter(progress, dataset.nbytes)
    with watched(meter, load.bytes_done):
        _launch(store, rows, load, None if sums is None else as_logical_array(sums).data)
    meter.finish()
    return None if sums is None else sum(int(part) for part in np.asarray(sums)) % 2**64


def load(
    dataset: Dataset,
    out: Any,
    *,
    tile_rows: int | None,
    over_decompose: int | None,
    progress: Wish,
) -> Any:
    array = _new_array(dataset) if out is None else out
    _load_into(dataset, array, tile_rows, over_decompose or 1, progress, with_sum=False)
    return array


def load_and_sum(
    dataset: Dataset, tile_rows: int | None, over_decompose: int, progress: Wish
) -> tuple[Any, int | None]:
    """A new array and its checksum; None on GPUs, where it would take a copy."""
    array = _new_array(dataset)
    with_sum = get_legate_runtime().get_machine().preferred_target != TaskTarget.GPU
    return array, _load_into(dataset, array, tile_rows, over_decompose, progress, with_sum)

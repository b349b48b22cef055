# SPDX-License-Identifier: Apache-2.0
"""What each rank knows, told to all ranks.

Under control replication every rank runs the whole program. What they find in their surroundings may
differ, and then they must decide together, before one of them launches a task or raises that the
others do not: else the program hangs, or goes on with wrong data.
"""

from __future__ import annotations

import collections
import hashlib
import os
import pickle
from collections.abc import Callable

import numpy as np
from legate.core import TaskContext, VariantCode, get_legate_runtime, types
from legate.core.task import OutputStore, task

from muster import _garbage, errors
from muster.dataset import Dataset

#: Bytes of a row that tell the rank, and an error at most.
_HEAD, _ERROR = 8, 3000


# A scalar argument of a point is that of the rank which owns the point, so ranks may pass different
# ones. As text: scalars are numbers or text. On processors only: rows are read and written there.
@task(variants=(VariantCode.CPU,))  # type: ignore[untyped-decorator]
def _put_row(ctx: TaskContext, rows: OutputStore, hexadecimal: str) -> None:
    row = np.asarray(rows.get_inline_allocation())[0]
    row[:] = np.frombuffer(bytes.fromhex(hexadecimal), np.uint8)


def exchange(data: bytes, size: int) -> list[bytes]:
    """By rank, what ranks passed, padded to `size` bytes. All ranks must call it."""
    runtime = get_legate_runtime()
    ranks, width = runtime.node_count, _HEAD + size
    row = runtime.node_id.to_bytes(_HEAD, "little") + data[:size].ljust(size, b"\0")
    store = runtime.create_store(types.uint8, (ranks, width))
    launch = runtime.create_manual_task(_put_row.library, _put_row.task_id, (ranks, 1))
    launch.add_output(store.partition_by_tiling((1, width)))
    launch.add_scalar_arg(row.hex(), types.string_type)
    with _garbage.paused():
        launch.execute()
        rows = np.asarray(store.get_physical_store().get_inline_allocation()).copy()
    found = {int.from_bytes(r[:_HEAD].tobytes(), "little"): r[_HEAD:].tobytes() for r in rows}
    return [found[rank] for rank in range(ranks)]


def several() -> bool:
    return bool(get_legate_runtime().node_count > 1)


def name_rank(error: errors.Error) -> errors.Error:
    """The error, which says that this rank has found it, where there are several."""
    if several():
        error.add_rank(get_legate_runtime().node_id)
    return error


def agree_on_error(error: errors.Error | None) -> errors.Error | None:
    """The error of the first rank that passes one; None if none does. All ranks must call it."""
    if not several():
        return error
    told = exchange(b"" if error is None else pickle.dumps(error), _ERROR)
    for data in told:
        if data.strip(b"\0"):
            agreed: errors.Error = pickle.loads(data)
            return agreed
    return None


def _fingerprint(dataset: Dataset, arguments: str) -> bytes:
    shards = [(os.path.basename(shard.path), shard.rows, shard.bytes) for shard in dataset.shards]
    told = repr((dataset.shape, dataset.dtype.str, dataset.format, shards, arguments))
    return hashlib.sha256(told.encode("utf-8", "surrogateescape")).digest()[:8]


def _check_same(dataset: Dataset, arguments: str) -> None:
    prints = exchange(_fingerprint(dataset, arguments), 8)
    usual = collections.Counter(prints).most_common(1)[0][0]
    others = [str(rank) for rank, found in enumerate(prints) if found != usual]
    if others:
        raise errors.DataError(
            f"of {len(prints)} ranks, {', '.join(others)} found other files than the rest, "
            "or were given other arguments: the folder must be one that all nodes share, and nobody may write to it now",
            dataset.shards[0].path,
        )


def open_on_all(make: Callable[[], Dataset], arguments: str = "") -> Dataset:
    """What `make` opens on this rank, once all ranks have opened the same; else all raise the same.

    The arguments are what all ranks have to say alike.
    """
    if not several():
        return make()
    dataset = fault = None
    try:
        dataset = make()
    except Exception as error:
        fault = name_rank(errors.of(error))
    if agreed := agree_on_error(fault):
        raise agreed from None
    assert dataset is not None
    _check_same(dataset, arguments)
    return dataset

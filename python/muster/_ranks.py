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
from legate.core import TaskContext, TaskTarget, VariantCode, get_legate_runtime, types
from legate.core.task import OutputStore, task

from muster import _garbage, _threads, errors
from muster.dataset import Dataset

#: Bytes of a row that tell the rank, and an error at most.
_HEAD, _ERROR = 8, 3000
#: What a rank has found is told as this and hashes of so many bytes; an error, as it is pickled.
_FOUND, _HASH = b"=", 8


# A scalar argument of a point is that of the rank which owns the point, so ranks may pass different
# ones. As text: scalars are numbers or text. On processors only: rows are read and written there.
@task(variants=(VariantCode.CPU,))  # type: ignore[untyped-decorator]
def _put_row(ctx: TaskContext, rows: OutputStore, hexadecimal: str) -> None:
    row = np.asarray(rows.get_inline_allocation())[0]
    row[:] = np.frombuffer(bytes.fromhex(hexadecimal), np.uint8)


def _points() -> int:
    """So many tasks that each rank gets one.

    They are dealt out in blocks to the processors that the program works on at the moment, which may
    be a part of the machine, with more of one rank than of another.
    """
    runtime = get_legate_runtime()
    machine = runtime.get_machine()
    lo, hi = machine.get_node_range(TaskTarget.CPU)
    processors = machine.get_processor_range(TaskTarget.CPU)
    ranks = 0 if processors.empty else hi - lo
    if ranks < runtime.node_count:
        raise errors.UsageError(
            f"this is a scope with CPUs of {ranks} of {runtime.node_count} ranks: datasets "
            "are opened and loaded where each rank has one"
        )
    whole = processors.per_node_count * runtime.node_count
    return int(runtime.node_count if processors.count == whole else processors.count)


def exchange(data: bytes, size: int) -> list[bytes]:
    """By rank, what ranks passed, padded to `size` bytes. All ranks must call it."""
    _threads.check()
    runtime = get_legate_runtime()
    points, width = _points(), _HEAD + size
    row = runtime.node_id.to_bytes(_HEAD, "little") + data[:size].ljust(size, b"\0")
    store = runtime.create_store(types.uint8, (points, width))
    launch = runtime.create_manual_task(_put_row.library, _put_row.task_id, (points, 1))
    launch.add_output(store.partition_by_tiling((1, width)))
    launch.add_scalar_arg(row.hex(), types.string_type)
    with _garbage.paused():
        launch.execute()
        rows = np.asarray(store.get_physical_store().get_inline_allocation()).copy()
    found = {int.from_bytes(r[:_HEAD].tobytes(), "little"): r[_HEAD:].tobytes() for r in rows}
    return [found[rank] for rank in range(runtime.node_count)]


def several() -> bool:
    return bool(get_legate_runtime().node_count > 1)


def name_rank(error: errors.Error) -> errors.Error:
    """The error, which says that this rank has found it, where there are several."""
    if several():
        error.add_rank(get_legate_runtime().node_id)
    return error


def _first_error(told: list[bytes]) -> errors.Error | None:
    for data in told:
        if data.startswith(pickle.PROTO):
            error: errors.Error = pickle.loads(data)
            return error
    return None


def agree_on_error(error: errors.Error | None) -> errors.Error | None:
    """The error of the first rank that passes one; None if none does. All ranks must call it."""
    if not several():
        return error
    return _first_error(exchange(b"" if error is None else pickle.dumps(error), _ERROR))


def _facts(dataset: Dataset, arguments: str) -> list[tuple[str, object]]:
    """What ranks must find alike, and what is wrong where they do not.

    Nothing that two nodes may see differently of one file, such as inodes and devices: of times the
    seconds only, because file systems keep different fractions of them.
    """
    shards = dataset.shards
    return [
        (
            "found other files than the rest: the folder must be one that all nodes share, "
            "and nobody may write to it now",
            (dataset.format, [(os.path.basename(shard.path), shard.rows, shard.bytes) for shard in shards]),
        ),
        (
            "found files of other modification times than the rest: nobody may write to them now, "
            "and copies for each node must keep the times (cp -p)",
            [shard.mtime_ns // 10**9 for shard in shards],
        ),
        ("were given other arguments than the rest", (dataset.shape, dataset.dtype.str, arguments)),
    ]


def _hash(fact: object) -> bytes:
    return hashlib.sha256(repr(fact).encode("utf-8", "surrogateescape")).digest()[:_HASH]


def _check_same(dataset: Dataset, facts: list[tuple[str, object]], told: list[bytes]) -> None:
    for number, (wrong, _) in enumerate(facts):
        hashes = [row[len(_FOUND) + number * _HASH :][:_HASH] for row in told]
        usual = collections.Counter(hashes).most_common(1)[0][0]
        others = [str(rank) for rank, found in enumerate(hashes) if found != usual]
        if others:
            raise errors.DataError(
                f"of {len(told)} ranks, {', '.join(others)} {wrong}", dataset.shards[0].path
            )


def open_on_all(make: Callable[[], Dataset], arguments: str = "") -> Dataset:
    """What `make` opens on this rank, once all ranks have opened the same; else all raise the same.

    The arguments are what all ranks have to say alike.
    """
    if not several():
        return make()
    dataset, facts = None, []
    try:
        dataset = make()
        facts = _facts(dataset, arguments)
        found = _FOUND + b"".join(_hash(fact) for _, fact in facts)
    except Exception as error:
        found = pickle.dumps(name_rank(errors.of(error)))
    told = exchange(found, _ERROR)
    if agreed := _first_error(told):
        raise agreed from None
    assert dataset is not None
    _check_same(dataset, facts, told)
    return dataset

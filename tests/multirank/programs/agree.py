# SPDX-License-Identifier: Apache-2.0
"""
What each rank knows, told to all ranks.

Under control replication every rank runs the whole program. What ranks find in their surroundings
may differ, and then they must decide together before any of them launches a task or raises.
"""

import collections

import numpy as np
from legate.core import TaskContext, VariantCode, get_legate_runtime, types
from legate.core.task import OutputStore, task

HEAD = 8  # bytes of a row that tell the rank


# A scalar argument of a point is that of the rank which owns the point, so ranks may pass different
# ones. As text: scalars are numbers or text. On processors only: rows are read and written there.
@task(variants=(VariantCode.CPU,))
def put_row(ctx: TaskContext, rows: OutputStore, hexadecimal: str) -> None:
    row = np.asarray(rows.get_inline_allocation())[0]
    row[:] = np.frombuffer(bytes.fromhex(hexadecimal), np.uint8)


def exchange(data, size):
    """A list by rank of what ranks passed, cut or padded to `size` bytes. All ranks must call it."""
    runtime = get_legate_runtime()
    ranks, width = runtime.node_count, HEAD + size
    row = runtime.node_id.to_bytes(HEAD, "little") + data[:size].ljust(size, b"\0")
    store = runtime.create_store(types.uint8, (ranks, width))
    launch = runtime.create_manual_task(put_row.library, put_row.task_id, (ranks, 1))
    launch.add_output(store.partition_by_tiling((1, width)))
    launch.add_scalar_arg(row.hex(), types.string_type)
    launch.execute()
    rows = np.asarray(store.get_physical_store().get_inline_allocation()).copy()
    found = {int.from_bytes(r[:HEAD].tobytes(), "little"): r[HEAD:].tobytes() for r in rows}
    if sorted(found) != list(range(ranks)):
        raise RuntimeError(f"of {ranks} ranks only {sorted(found)} were heard")
    return [found[rank] for rank in range(ranks)]


def differing(value):
    """
    The ranks whose 64-bit value is not that of most ranks (of rank 0, where as many have another
    value); none when all agree. The same list on all ranks, which all must call it.
    """
    values = exchange(value.to_bytes(8, "little"), 8)
    usual = collections.Counter(values).most_common(1)[0][0]
    return [rank for rank, other in enumerate(values) if other != usual]


def first_fault(text):
    """(rank, text) of the first rank that passed a text, not None; None if no rank did."""
    texts = exchange((text or "").encode(), 512)
    faults = [(rank, t.rstrip(b"\0").decode(errors="replace")) for rank, t in enumerate(texts)]
    return next((fault for fault in faults if fault[1]), None)

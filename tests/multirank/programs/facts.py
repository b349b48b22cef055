# SPDX-License-Identifier: Apache-2.0
"""What a loader must know about ranks; each rank prints what it finds."""

import errno
import json
import os
import sys

import cupynumeric as cn
import numpy as np
from legate.core import TaskContext, VariantCode, as_logical_array, get_legate_runtime, types
from legate.core.task import OutputStore, task

from muster import DataError, _ranks

ROWS, COLUMNS, TILE_ROWS, TILES = 10, 3, 3, 4
NONE, ALL = -1, -2

runtime = get_legate_runtime()
rank = runtime.node_id


def tell(**values):
    sys.stdout.write(json.dumps(values) + "\n")  # print() writes the line's end on its own
    sys.stdout.flush()


@task(variants=(VariantCode.CPU, VariantCode.OMP, VariantCode.GPU))
def fill(ctx: TaskContext, rows: OutputStore, word: str, at: int) -> None:
    """Cells hold 10 * row + column. Raises in the tile `at`."""
    here, tile = get_legate_runtime().node_id, ctx.task_index[0]
    tell(**{f"tile {tile}": [here, word]})
    if at in (tile, ALL):
        raise FileNotFoundError(errno.ENOENT, f"tile {tile} on rank {here}", "shard_7.npy")
    cells, first = np.asarray(rows.get_inline_allocation()), rows.domain.lo[0]
    cells[:] = 10 * np.arange(first, first + len(cells))[:, None] + np.arange(COLUMNS)


def launch(at=NONE):
    out = cn.empty((ROWS, COLUMNS))
    tiles = as_logical_array(out).data.partition_by_tiling((TILE_ROWS, COLUMNS))
    made = runtime.create_manual_task(fill.library, fill.task_id, (TILES, 1))
    made.add_output(tiles)
    made.add_scalar_arg(f"of rank {rank}", types.string_type)
    made.add_scalar_arg(at, types.int64)
    made.throws_exception(OSError)
    made.execute()
    runtime.issue_execution_fence(block=True)
    return out


def caught(at):
    try:
        launch(at)
    except OSError as error:
        return [type(error).__name__, error.errno, error.strerror, error.filename]


tell(
    rank=rank,
    ranks=runtime.node_count,
    processors=len(runtime.machine),
    variables={k: v for k, v in os.environ.items() if k.endswith(("_RANK", "_SIZE"))},
)
tell(cells=np.asarray(launch()).tolist())
tell(first=caught(0), last=caught(TILES - 1), all=caught(ALL))
tell(after=np.asarray(launch()).tolist())

tell(exchanged=[row.hex() for row in _ranks.exchange(bytes([rank, 255]), 2)])
tell(no_error=_ranks.agree_on_error(None))
error = DataError("dir/é: is missing", "a" * 4000, 7, "x", "y")
error = _ranks.agree_on_error(_ranks.name_rank(error) if rank else None)
tell(error=[type(error).__name__, error.message, len(error.file), error.offset, error.found, error.expected])

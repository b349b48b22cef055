# SPDX-License-Identifier: Apache-2.0
"""
Loads folders with libmuster, each rank its tiles: load.py RESULTS TILE_ROWS CASES

A case has a folder for each rank, as if each saw another file system at the same path, and perhaps a
file that rank 1 removes when the folders have been looked at. Arrays are written, faults printed,
and the last fault ends the program.
"""

import ctypes
import hashlib
import json
import os
import sys

import agree
import cupynumeric as cn
import numpy as np
from legate.core import TaskContext, VariantCode, as_logical_array, get_legate_runtime, types
from legate.core.task import OutputStore, task
from support import libmuster

runtime = get_legate_runtime()
datasets = []  # tasks are told an index, which all ranks give alike: pointers mean nothing to others
names = []


@task(variants=(VariantCode.CPU, VariantCode.OMP, VariantCode.GPU))
def read_tile(ctx: TaskContext, rows: OutputStore, key: int) -> None:
    place, domain = rows.get_inline_allocation(), rows.domain
    strides = libmuster.array_of(ctypes.c_int64, place.strides)
    lo, hi = domain.lo[0], domain.hi[0] + 1
    sys.stdout.write(f"{names[key]}: rank {runtime.node_id} reads {lo} to {hi}\n")
    try:
        libmuster.call("muster_read_rows", datasets[key].handle, lo, hi, place.ptr, strides)
    except libmuster.MusterError as error:  # cannot be pickled, so it would not reach other ranks
        raise OSError(error.errnum, error.message, error.path) from None


def discover(folder):
    """(dataset, what it is as a number of 64 bits), the same on all ranks; or raises on all."""
    dataset, fault, shown = None, None, ""
    try:
        dataset = libmuster.Dataset(folder)
        shown = repr((dataset.shape, dataset.dtype, [shard[1:] for shard in dataset.shards]))
    except libmuster.MusterError as error:
        fault = f"{error.name}: {error.message}"
    found = agree.first_fault(fault)
    if found:
        raise OSError(f"rank {found[0]}: {found[1]}")
    ranks = agree.differing(int.from_bytes(hashlib.sha256(shown.encode()).digest()[:8], "little"))
    if ranks:
        raise OSError(f"ranks {ranks} find other data than the rest")
    return dataset


def load(dataset, name, tile_rows):
    datasets.append(dataset)
    names.append(name)
    out = cn.empty(dataset.shape, dataset.dtype)
    tile = (min(tile_rows, dataset.rows), *dataset.shape[1:])
    count = -(-dataset.rows // tile[0])
    made = runtime.create_manual_task(
        read_tile.library, read_tile.task_id, (count,) + (1,) * (len(tile) - 1)
    )
    made.add_output(as_logical_array(out).data.partition_by_tiling(tile))
    made.add_scalar_arg(len(datasets) - 1, types.int64)
    made.throws_exception(OSError)
    made.execute()
    runtime.issue_execution_fence(block=True)
    return out


results, tile_rows = sys.argv[1], int(sys.argv[2])
last, faults = None, {}
for name, case in json.loads(sys.argv[3]).items():
    try:
        dataset = discover(case["folders"][runtime.node_id])
        if "remove" in case and runtime.node_id == 1:
            os.unlink(case["remove"])
        loaded = np.asarray(load(dataset, name, tile_rows))
        np.save(f"{results}/{name}.{runtime.node_id}.npy", loaded)
    except OSError as error:
        last, faults[name] = error, [error.errno, str(error), error.filename]
sys.stdout.write(json.dumps(faults) + "\n")
sys.stdout.flush()
raise last

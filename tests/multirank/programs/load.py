# SPDX-License-Identifier: Apache-2.0
"""
Loads folders with muster, each rank its tiles: load.py RESULTS TILE_ROWS CASES

A case has a folder for each rank, as if each saw another file system at the same path, and perhaps a
file that rank 1 removes or cuts when the folders have been looked at, rows or options of each rank, a rank
that cannot look, a thread or a scope of its own. Arrays are written, faults printed, and the last fault ends
the program.
"""

import json
import os
import sys
import threading

import cupynumeric  # noqa: F401 (so that muster loads into it)
import numpy as np
from legate.core import get_legate_runtime

import muster
from muster.dataset import Dataset

rank = get_legate_runtime().node_id
read_rows, lib = Dataset.read_rows, muster.dataset.lib


def watched(dataset, lo, hi, *rest):
    sys.stdout.write(f"{name}: rank {rank} reads {lo} to {hi}\n")
    read_rows(dataset, lo, hi, *rest)


Dataset.read_rows = watched
results, tile_rows = sys.argv[1], int(sys.argv[2])
last, faults = None, {}


def load(name, case):
    """Notes the fault if there is one."""
    global last
    options, dataset = {}, case["folders"][rank]
    try:
        if case.get("breaks") == rank:
            muster.dataset.lib = None  # so that what is raised is no error of muster's
        if "rows" in case:
            options = {"rows": case["rows"][rank]}
        elif "options" in case:
            options = case["options"][rank]
        else:
            dataset = muster.open(dataset)
        if "remove" in case and rank == 1:
            os.unlink(case["remove"])
        if "cut" in case and rank == 1:
            os.truncate(case["cut"], 200)
        loaded = muster.load(dataset, **options, tile_rows=tile_rows, progress=False)
        np.save(f"{results}/{name}.{rank}.npy", np.asarray(loaded))
    except muster.Error as error:
        muster.dataset.lib = lib
        last, faults[name] = error, [type(error).__name__, error.message, error.file]


for name, case in json.loads(sys.argv[3]).items():
    if "thread" in case:
        thread = threading.Thread(target=load, args=(name, case), name="another")
        thread.start()
        thread.join()
    elif "processors" in case:
        with get_legate_runtime().get_machine()[slice(*case["processors"])]:
            load(name, case)
    else:
        load(name, case)
sys.stdout.write(json.dumps(faults) + "\n")
sys.stdout.flush()
raise last

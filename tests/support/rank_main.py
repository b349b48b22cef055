# SPDX-License-Identifier: Apache-2.0
"""
What each rank runs: rank_main.py FOLDER PROGRAM ARGUMENT...

Leaves in the folder what the runtime says about the rank (RANK.json), and all output of the process
(RANK.out): through the launcher the lines of ranks would come mixed.
"""

import ctypes
import json
import os
import pathlib
import runpy
import signal
import sys

PR_SET_PDEATHSIG = 1

folder, program = map(pathlib.Path, sys.argv[1:3])
name = os.environ["LEGATE_GLOBAL_RANK"]

# The launcher puts ranks into process groups of their own: without this they would outlive it.
ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

output = os.open(folder / f"{name}.out", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
os.dup2(output, 1)
os.dup2(output, 2)
os.close(output)

from legate.core import get_legate_runtime  # noqa: E402

runtime = get_legate_runtime()
told = {"pid": os.getpid(), "rank": runtime.node_id, "ranks": runtime.node_count}
(folder / f"{name}.json").write_text(json.dumps(told))

sys.argv = [str(program), *sys.argv[3:]]
sys.path.insert(0, str(program.parent))
runpy.run_path(str(program), run_name="__main__")

# SPDX-License-Identifier: Apache-2.0
"""Where things are, and how much to do."""

import atexit
import os
import pathlib
import shutil
import tempfile

SOURCE = pathlib.Path(os.environ.get("MUSTER_SOURCE") or pathlib.Path(__file__).parents[2])
BUILD = pathlib.Path(os.environ.get("MUSTER_BUILD") or SOURCE / "build")
PROGRAM = pathlib.Path(os.environ.get("MUSTER_PROGRAM") or BUILD / "muster")
LIBRARY = pathlib.Path(os.environ.get("MUSTER_LIBRARY") or BUILD / "libmuster.so")

#: Every random choice of a test starts from here.
SEED = int(os.environ.get("MUSTER_SEED") or 20240611)
SOAK_KILLS = int(os.environ.get("MUSTER_SOAK_KILLS") or 200)
SOAK_EXAMPLES = int(os.environ.get("MUSTER_SOAK_EXAMPLES") or 20000)

#: Where thousands of small datasets are made and removed: in memory, if there is such a place.
SCRATCH = tempfile.mkdtemp(
    prefix="muster-test-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None
)
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)

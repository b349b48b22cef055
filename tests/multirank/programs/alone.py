# SPDX-License-Identifier: Apache-2.0
"""Ranks that do not do the same: alone.py raise|skip."""

import sys

from legate.core import get_legate_runtime

from muster._ranks import exchange

rank = get_legate_runtime().node_id


def step(name):
    values = exchange(f"{name}{rank}".encode(), 2)
    sys.stdout.write(f"{name}: {[value.decode() for value in values]}\n")
    sys.stdout.flush()


step("A")
if rank == 1 and sys.argv[1] == "raise":
    raise OSError("rank 1 cannot see the folder")
if rank != 1:
    step("B")
step("C")

# SPDX-License-Identifier: Apache-2.0
"""Peak memory of runs of the program, on files full of holes (they are read like any other)."""

import os
import subprocess
import sys

import numpy as np
from support import cli, env, reference

MIB = 2**20

#: Beside 64 MiB for each thread: the program itself and the C library.
BASE = 16 * MIB


#: The kernel counts what a process was before exec, too, so a small Python starts the program.
STARTER = """
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


def peak(*arguments, status=0):
    """Bytes resident at most, of a run that ends with this exit status."""
    arguments = [str(a) for a in arguments]
    command = [sys.executable, "-I", "-S", "-c", STARTER, str(env.PROGRAM), *arguments]
    ran = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=cli.CLEAN, text=True
    )
    ended, kilobytes = ran.stdout.split()[-2:]
    assert int(ended) == status, arguments
    return int(kilobytes) * 1024


def sparse(path, shape, dtype="<f4", fortran=False):
    """An npy file of zeros that takes no place."""
    header = repr({"descr": dtype, "fortran_order": fortran, "shape": tuple(shape)}) + "\n"
    content = reference.npy(header)
    with open(path, "wb") as file:
        file.write(content)
        file.truncate(len(content) + int(np.prod(shape)) * np.dtype(dtype).itemsize)
    return path


def check(folder, total, row):
    """
    A dataset of `total` bytes in four shards, and one file whose stacked row has `row` bytes: no
    more than 64 MiB a thread, whatever is done with them.
    """
    threads, seen = 2, {}
    limit = threads * 64 * MIB + BASE
    os.mkdir(folder / "many")
    for i in range(4):
        sparse(folder / "many" / f"s{i}.npy", (total // 4 // 64, 16))
    one = sparse(folder / "one.npy", (row // 64, 16))
    swapped = sparse(folder / "swapped.npy", (row // 64, 16), ">f4")
    runs = {
        "to null": ["load", folder / "many", "--to=null"],
        "to null, converted": ["load", folder / "many", "--to=null", "--dtype=f8"],
        "-o": ["load", folder / "many", "-o", folder / "out.npy"],
        "seal": ["seal", folder / "many"],
        "one row, to null": ["load", one, "--stack", "--to=null"],
        "one row, swapped": ["load", swapped, "--stack", "--to=null"],
        "one row, converted": ["load", one, "--stack", "--to=null", "--dtype=f8"],
        "one row, -o": ["load", one, "--stack", "-o", folder / "out.npy"],
        "one tile, to null": ["load", one, "--to=null", f"--tile-rows={row // 64}"],
    }
    for name, arguments in runs.items():
        seen[name] = peak(*arguments, f"-j{threads}", "--quiet")
        if (folder / "out.npy").exists():
            os.unlink(folder / "out.npy")
    print({k: f"{v / MIB:.0f} MiB" for k, v in seen.items()})
    assert {k: v for k, v in seen.items() if v > limit} == {}
    return seen

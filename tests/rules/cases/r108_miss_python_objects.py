# verdict: READY
"""Settings and ranks travel by lower-case calls; arrays do not."""
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD


def share_settings(path: str) -> dict:
    settings = {"path": path, "steps": 100, "dx": 0.5}
    settings = comm.bcast(settings, root=0)
    ranks = comm.gather(comm.Get_rank(), root=0)
    comm.Barrier()
    return {"settings": settings, "ranks": ranks}


def flux(q: np.ndarray, speed: float) -> np.ndarray:
    return speed * 0.5 * (q[1:] + q[:-1])  #> R005

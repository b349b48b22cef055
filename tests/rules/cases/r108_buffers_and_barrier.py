# verdict: SIGNIFICANT REFACTOR
# recipes: RR-mpi
"""Buffer calls through a communicator under another name; a barrier moves no data."""
import mpi4py.MPI as mpi
import numpy as np


def scatter_rows(a: np.ndarray, n: int, world=mpi.COMM_WORLD) -> np.ndarray:
    part = np.empty((n, a.shape[1]))
    world.Scatter(a, part, root=0)  #> R108
    world.Barrier()
    world.Bcast(part, root=0)  #> R108
    return part

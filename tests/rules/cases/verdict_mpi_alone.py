# verdict: SIGNIFICANT REFACTOR
# recipes: RR-mpi
"""A single MPI call on array data is enough."""
import numpy as np
from mpi4py import MPI


def broadcast(u: np.ndarray) -> np.ndarray:
    MPI.COMM_WORLD.Bcast(u, root=0)  #> R108
    return np.sin(u)  #> R001

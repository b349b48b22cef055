# verdict: SIGNIFICANT REFACTOR
# context: elements=500M gpus=4
# composite: weak go
"""Large and strong, but significant work first."""
import numpy as np
from mpi4py import MPI


def total(u: np.ndarray) -> np.ndarray:
    out = np.zeros(1)
    MPI.COMM_WORLD.Allreduce(np.sum(u * u, keepdims=True), out, op=MPI.SUM)  #> R108
    return out


def laplacian(u: np.ndarray) -> np.ndarray:
    return u[2:] - 2.0 * u[1:-1] + u[:-2]  #> R005

# verdict: NOT RECOMMENDED
# context: elements=20000 gpus=1
# gates: 2=fail
"""A failed gate comes before MPI, too."""
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD


def total(local: np.ndarray) -> np.ndarray:
    out = np.zeros(1)
    comm.Allreduce(np.sum(local, keepdims=True), out, op=MPI.SUM)  #> R108
    return out

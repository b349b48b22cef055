# verdict: SIGNIFICANT REFACTOR
# gates: 3=uncertain
# recipes: RR-mpi
"""Lower-case calls pickle what they get: with an array in it that is communication of array data."""
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD


def mean_field(local: np.ndarray):
    total = comm.allreduce(np.sum(local), op=MPI.SUM)  #> R108
    count = comm.allreduce(local.size, op=MPI.SUM)
    return total / count


def collect(local: np.ndarray):
    return comm.gather(local, root=0)  #> R108

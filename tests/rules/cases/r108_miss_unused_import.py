# verdict: READY
"""mpi4py is imported and only asked for the rank: an audit note."""
import numpy as np
from mpi4py import MPI

RANK = MPI.COMM_WORLD.Get_rank()


def pressure(rho: np.ndarray, energy: np.ndarray, gamma: float) -> np.ndarray:
    return (gamma - 1.0) * rho * energy  #> R001


def total(rho: np.ndarray):
    return np.sum(rho)  #> R002

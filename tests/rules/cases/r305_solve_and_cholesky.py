# verdict: READY
"""Dense solves: a note on the sizes from which they spread."""
import numpy as np
from numpy.linalg import cholesky


def kriging(c: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    w = np.linalg.solve(c, rhs)  #> R305
    return w / w.sum(axis=0)


def correlated(cov: np.ndarray, z: np.ndarray) -> np.ndarray:
    return cholesky(cov) @ z  #> R305

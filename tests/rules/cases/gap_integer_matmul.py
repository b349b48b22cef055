# verdict: LIGHT REFACTOR
# gaps: numpy.matmul(int64)
"""A product of integer matrices raises; that of floats does not."""
import numpy as np


def paths(n: int) -> np.ndarray:
    adjacency = np.ones((n, n), dtype=np.int64)
    return adjacency @ adjacency


def weighted(n: int) -> np.ndarray:
    w = np.ones((n, n), dtype=np.float32)
    return w @ w  #> R003

# verdict: READY
"""Bounds that hold names, and yet the loop has one turn or two."""
import numpy as np


def extend(u: np.ndarray) -> np.ndarray:
    n = u.shape[0]
    for i in range(n - 2, n):
        u[i, :] = 2.0 * u[i - 1, :] - u[i - 2, :]
    return u


def close(u: np.ndarray, m: int) -> np.ndarray:
    for j in range(m - 1, m):
        u[:, j] = u[:, 0]
    return u


def first(u: np.ndarray, lo: int) -> np.ndarray:
    for k in range(lo, lo + 1):
        u[k, :] *= 0.5
    return u

# verdict: READY
"""An inner loop over range(i) reads what earlier turns have written: the outer loop carries rows."""
import numpy as np


def orthogonalise(v: np.ndarray, count: int):
    for i in range(count):
        for j in range(i):
            v[i, :] -= np.dot(v[j, :], v[i, :]) * v[j, :]


def orthogonalise_downwards(v: np.ndarray, count: int):
    for i in range(count - 1, -1, -1):
        for j in range(i + 1, count):
            v[i, :] -= np.dot(v[j, :], v[i, :]) * v[j, :]

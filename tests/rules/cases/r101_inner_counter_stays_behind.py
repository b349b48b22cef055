# verdict: LIGHT REFACTOR
"""An inner loop over range(i) reads what earlier turns have written: the outer loop is no independent one."""
import numpy as np


def substitute(x: np.ndarray, low: np.ndarray, n: int):
    for i in range(n):
        for j in range(i):  #> R101
            x[i] -= low[i, j] * x[j]


def orthogonalise(v: np.ndarray, count: int):
    for i in range(count):
        for j in range(i):
            v[i, :] -= np.dot(v[j, :], v[i, :]) * v[j, :]


def orthogonalise_downwards(v: np.ndarray, count: int):
    for i in range(count - 1, -1, -1):
        for j in range(i + 1, count):
            v[i, :] -= np.dot(v[j, :], v[i, :]) * v[j, :]

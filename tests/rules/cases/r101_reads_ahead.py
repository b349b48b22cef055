# verdict: LIGHT REFACTOR
"""Rows that are read before they are written carry nothing from turn to turn; sums into both of a pair neither."""
import numpy as np


def triangular(a: np.ndarray, b: np.ndarray):
    for i in range(b.shape[0]):  #> R101
        for j in range(b.shape[1]):
            b[i, j] += np.dot(a[i + 1:, i], b[i + 1:, j])


def pairs(pos: np.ndarray, force: np.ndarray, n: int):
    for i in range(n):  #> R101
        for j in range(i):
            d = pos[i] - pos[j]
            force[i] += d
            force[j] -= d

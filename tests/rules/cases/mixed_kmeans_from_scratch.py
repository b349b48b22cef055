# verdict: SIGNIFICANT REFACTOR
# gates: 3=uncertain
"""k-means as people write it: rows, a test each round, and a builtin over the distances."""
import numpy as np


def nearest(row: np.ndarray, centres: np.ndarray):
    d = np.sum((centres - row) ** 2, axis=1)
    return np.argmin(d)


def fit(data: np.ndarray, centres: np.ndarray, max_iter: int) -> np.ndarray:
    member = np.zeros(data.shape[0], dtype=int)
    for _ in range(max_iter):
        old = centres * 1.0
        for i in range(data.shape[0]):  #> R101
            member[i] = nearest(data[i, :], centres)
        for k in range(3):
            centres[k] = data[member == k].mean(axis=0)  #> R007
        if np.abs(centres - old).max() < 1e-6:  #> R105
            break
    return member


def inertia(dist: np.ndarray):
    return sum(dist)  #> R110

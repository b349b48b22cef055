# verdict: LIGHT REFACTOR
"""Columns that are updated with all the others, those of this sweep among them, a given number of times."""
import numpy as np


def update(a: np.ndarray, w: np.ndarray, h: np.ndarray, k, steps):
    for _ in range(steps):
        right, gram = a.T @ w, w.T @ w
        for j in range(k):
            column = h[:, j] + right[:, j] - h.dot(gram[:, j])
            h[:, j] = np.maximum(column, 1e-16)
            size = np.linalg.norm(h[:, j])
            if size > 0:  #> R105
                h[:, j] = h[:, j] / size
    return h


def scale(a: np.ndarray, w: np.ndarray):
    total = a.sum()
    for j in range(a.shape[0]):  #> R101
        a[j, :] = a[j, :] * w[j] + total
    return a

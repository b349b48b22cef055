# verdict: SIGNIFICANT REFACTOR
# gaps: numpy.asmatrix
"""Rows of a matrix object; the matrix is a gap that demotes, its rows are walked like those of an array."""
import numpy as np


def response(row, weights):
    return np.sum(np.multiply(row, weights))


def forecast(samples: np.ndarray, weights: np.ndarray) -> np.ndarray:
    mat = np.asmatrix(samples)
    m = mat.shape[0]
    out = np.zeros(m)
    for i in range(m):  #> R101
        out[i] = response(mat[i], weights)
    return out

# verdict: LIGHT REFACTOR
"""What is taken apart within an indexing loop is a finding of its own, unless it is the piece that the loop picks."""
import numpy as np


def best_split(x: np.ndarray, y: np.ndarray):
    best = np.zeros(x.shape[1])
    for k in range(x.shape[1]):  #> R101
        values = np.unique(x[:, k])
        for threshold in values:  #> R103
            best[k] = np.sum(y[x[:, k] < threshold])
    return best


def row_sums(x: np.ndarray):
    out = np.zeros(x.shape[0])
    for i in range(x.shape[0]):  #> R101
        for value in x[i]:
            out[i] += value
    return out

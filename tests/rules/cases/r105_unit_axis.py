# verdict: LIGHT REFACTOR
# recipes: RR-converge
"""The loop walks nothing but single numbers beside whole arrays, so the test on the error is a finding of its own."""
import numpy as np


def best_cut(x: np.ndarray, y: np.ndarray, w: np.ndarray, cuts: np.ndarray):
    m = cuts.shape[0]
    err = np.zeros((m, 1))
    best = 1e30
    at = -1
    for j in range(m):
        side = np.where(x < cuts[j], -1.0, 1.0)  #> R004
        err[j] = np.sum(w[side != y])  #> R007
        if err[j] < best:  #> R105
            best = err[j]
            at = j
    return at, err

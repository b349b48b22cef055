# verdict: READY
"""A small table that is written down, by np.array or np.r_."""
import numpy as np


def fire(x: np.ndarray):
    rules = np.r_[[[0, 1, 3],
                   [1, 3, 4],
                   [0, 3, 4]]]
    best = np.zeros(len(x))
    for rule in rules:
        np.maximum(best, x[:, rule].min(axis=1), out=best)
    return best

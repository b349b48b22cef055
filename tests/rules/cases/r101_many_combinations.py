# verdict: LIGHT REFACTOR
"""Pairs of many rows are walked like any others."""
import itertools

import numpy as np


def distances(rows: np.ndarray) -> np.ndarray:
    n = len(rows)
    out = np.zeros((n, n))
    for i, j in itertools.combinations(range(n), 2):  #> R101
        out[i, j] = np.linalg.norm(rows[i] - rows[j])
    return out


def of_seven(rows: np.ndarray) -> np.ndarray:
    out = np.zeros((7, 7))
    for i, j in itertools.combinations(range(7), 2):  #> R101
        out[i, j] = np.linalg.norm(rows[i] - rows[j])
    return out

# verdict: NOT RECOMMENDED
# gates: 4=fail
"""Substitution element by element: the inner loop is a sum over what earlier turns have found."""
import numpy as np


def substitute(x: np.ndarray, low: np.ndarray, n: int):
    for i in range(n):
        for j in range(i):  #> R101
            x[i] -= low[i, j] * x[j]

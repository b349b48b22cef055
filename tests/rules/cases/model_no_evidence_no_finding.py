# verdict: READY
"""x[i][j] and a loop over a parameter without any trace: silence."""
import numpy as np


def lookup(table, i, j):
    return table[i][j]


def tally(items):
    total = 0
    for item in items:
        if item > 3:
            total += int(item)
    return total


def grid(n: int) -> np.ndarray:
    x = np.linspace(0.0, 1.0, n)
    return np.exp(-x * x)  #> R001

# verdict: READY
"""np.indices and its like are given sizes: their parameter is no array."""
import numpy as np


def corner(n, m):
    total = 0
    while n > m:
        i, j = np.tril_indices(n)
        n -= 1
        total += i.size + j.size
    for k in range(n):
        total += k
    return total


def grid(shape):
    y, x = np.indices(shape)
    for s in shape:
        y = np.sin(y) * s
    return x + y

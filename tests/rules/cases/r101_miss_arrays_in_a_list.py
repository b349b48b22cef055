# verdict: READY
"""A table of pairs of whole arrays, which are kept in a list."""
import numpy as np


def overlap(a, b):
    if a.shape != b.shape:
        raise ValueError("shapes differ")
    return np.dot(a.flatten(), b.flatten()) / a.size


def overlaps(patterns):
    n = len(patterns)
    table = np.zeros((n, n))
    for i in range(n):
        for k in range(i, n):
            table[i, k] = overlap(patterns[i], patterns[k])
            table[k, i] = table[i, k]
    return table

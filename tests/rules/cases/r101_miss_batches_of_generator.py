# verdict: READY
"""Batches that generators hand out are chunks of many rows, and a fresh mask is walked by nobody."""
import numpy as np


def by_step(x: np.ndarray, size):
    starts = range(0, x.shape[0], size)
    for lo in starts:
        yield x[lo:lo + size]


def by_number(x: np.ndarray, count):
    each = x.shape[0] // count
    k = 0
    while k < count - 1:
        lo = int(each * k)
        hi = int(each * (k + 1))
        yield x[lo:hi]
        k += 1


def folds(n, width, start):
    for i in range(start, n - width):
        taken = np.zeros(n, dtype=bool)
        taken[i:i + width] = True
        yield taken


def total(x: np.ndarray):
    parts = []
    for batch in by_step(x, 1000):
        parts.append(np.sum(batch * batch))
    return parts

# verdict: LIGHT REFACTOR
"""A function returns tuples of two lengths: what is unpacked is of the one that fits."""
import numpy as np


def walk(n, full):
    a = np.zeros(n)
    seen = []
    while len(seen) < n:
        seen.append(len(seen))
    if full:
        return a, a + 1
    return a, [1], seen


def run(n):
    total = 0
    a, counts, seen = walk(n, False)
    for x in seen:
        total += x
    a, b = walk(n, True)
    for x in b:  #> R103
        a += x
    return a, total, counts

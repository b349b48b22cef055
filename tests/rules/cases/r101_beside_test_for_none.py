# verdict: LIGHT REFACTOR
"""A test for None is no work on a whole array."""
import numpy as np


def pick(a, b=None):
    a = np.asarray(a)
    out, other = [], []
    for i in range(len(a)):  #> R101
        out.append(a[i])
        if b is not None:
            other.append(b[i])
    return np.asarray(out), np.asarray(other)


def main(n):
    x, y = pick(np.ones(n))
    return pick(x, y)

# verdict: NOT RECOMMENDED
# gates: 4=fail
"""Sweeps in place in which what is stored has a name before."""
import numpy as np


def expected(i, j, value):
    return 0.9 * value[min(i + 1, 99), j] + 0.1 * value[max(i - 1, 0), j]


def sweep(turns):
    value = np.zeros((100, 100))
    for it in range(turns):
        for i in range(100):
            for j in range(100):
                new = expected(i, j, value)
                value[i, j] = new
    return value


def relax(a: np.ndarray, b: np.ndarray, turns: int) -> np.ndarray:
    x = np.ones(len(b))
    for it in range(turns):
        for i in range(len(b)):
            rest = b[i] - np.dot(a[i, :], x)
            x[i] = x[i] + rest / a[i, i]
    return x

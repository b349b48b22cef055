# verdict: NOT RECOMMENDED
# gates: 4=fail
"""Sweeps in place: an inner loop over all of the vector, or a function that picks the neighbours."""
import numpy as np


def relax(a, b, w=1.0, turns=100):
    a = np.asarray(a)
    x = np.ones(len(b))
    for k in range(turns):
        for i in range(len(b)):
            s = 0
            for j in range(len(b)):  #> R101
                if j != i:
                    s += a[i, j] * x[j]
            x[i] = (1 - w) * x[i] + (w / a[i, i]) * (b[i] - s)
    return x


def expected(i, j, value):
    return 0.9 * value[min(i + 1, 99), j] + 0.1 * value[max(i - 1, 0), j]


def sweep(turns):
    value = np.zeros((100, 100))
    for it in range(turns):
        for i in range(100):
            for j in range(100):
                value[i, j] = expected(i, j, value)
    return value

# verdict: LIGHT REFACTOR
"""h[i] to which an array is added is a row, beside whole arrays, too; one to which a number is added
may be an element."""
import numpy as np


def shifted(x, w, b):
    h = x @ w
    for i in range(x.shape[0]):  #> R101
        h[i] += b
    return h


def counted(x, ids, limits):
    total = np.zeros(400)
    for k in range(400):
        total[k] += x[ids == limits[k]].sum()
    return total


def run(x, n):
    w = np.ones((4, 4))
    b = np.ones(4)
    for step in range(n):
        x = shifted(x, w, b * 2)
        b = b - np.sum(x, axis=0)  #> R202
    return x, counted(x, x > 1, x)

# verdict: NOT RECOMMENDED
# gates: 4=fail
"""Elements that need one of the row before, in a flat array of rows of unknown length."""
import numpy as np


def column(o: np.ndarray, b: np.ndarray, q, w, n):
    for i in range(1, n):
        o[q + i * w] = b[i] - 0.5 * o[q + (i - 1) * w] ** 2
    return o


def backwards(o: np.ndarray, w, n):
    i = n
    while i > 0:
        o[i * w] = np.sin(o[(i + 1) * w] + o[i * w + w + 1])
        i -= 1
    return o

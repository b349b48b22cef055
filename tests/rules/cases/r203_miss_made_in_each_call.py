# verdict: READY
"""A list that a function makes anew in each call does not grow from call to call."""
import numpy as np


def information(x, y, z=None):
    points = [x, y]
    if z is not None:
        points.append(z)
    points = np.hstack(points)
    return np.sum(points ** 2)


def all_of(n):
    x = np.ones((n, n))
    out = 0.0
    for i in range(1000):
        out += information(x, x)
    return out

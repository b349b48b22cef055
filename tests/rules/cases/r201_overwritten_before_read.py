# verdict: LIGHT REFACTOR
"""A buffer whose name gets something else before anybody reads it is not what is returned."""
import numpy as np


def step(r, v, h):
    z = np.zeros((2, 2))  #> R201
    z = [r + h * v, v]
    return z


def kept(r):
    z = np.zeros((2, 2))
    z[0, 0] = 1
    return z


def run(n, r, v):
    for i in range(n):
        r, v = step(np.sin(r), v, 0.1)
        v = kept(r)
    return r

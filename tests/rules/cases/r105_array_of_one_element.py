# verdict: LIGHT REFACTOR
"""A comparison that gives an array is tested as one element."""
import numpy as np


def settle(n):
    w = np.ones((n, 1))
    while np.sum(w, axis=0) > 1:  #> R105
        w *= 0.5
    return w


def masks(a: np.ndarray, steps: int):
    for k in range(steps):
        m = a > 0.5
        a[m] *= 0.5
        if (a > 1.0).any():  #> R105
            break
    return a

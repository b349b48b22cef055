# verdict: LIGHT REFACTOR
"""The module that an array asks for is NumPy where NumPy's arrays are passed."""
import cupy
import numpy as np


def fit(x, steps, tolerance):
    xp = cupy.get_array_module(x)
    before = -np.inf
    for k in range(steps):
        index = xp.arange(x.shape[0])  #> R201
        m = xp.mean(x * index)
        if abs(m - before) < tolerance:  #> R105
            break
        before = m
    return x


fit(np.ones(1000000), 100, 1e-3)

# verdict: READY
"""One type test or another: what both name is no array."""
import numpy as np


def flatten(data):
    if isinstance(data, list) or isinstance(data, tuple):
        return np.concatenate([np.atleast_1d(d) for d in data])
    return np.atleast_1d(data)


def check(n):
    return flatten(np.zeros(n)) - flatten([np.ones(3), np.ones(4)])

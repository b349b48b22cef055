import numpy as np


def depths(n):
    return np.ones((n, n))

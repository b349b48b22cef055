# verdict: LIGHT REFACTOR
"""A default argument is no known, small size of an axis."""
import numpy as np


def run(func, dims, population=10):
    table = np.zeros((population, dims))
    return np.array([func(row) for row in table])  #> R103

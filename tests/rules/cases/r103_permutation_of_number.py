# verdict: SIGNIFICANT REFACTOR
# gaps: numpy.random.permutation
"""The numbers below n in any order are an array."""
import numpy as np


def visit(x: np.ndarray):
    n = len(x)
    for i in np.random.permutation(n):  #> R103 R304
        x[i] *= 0.5
    return x

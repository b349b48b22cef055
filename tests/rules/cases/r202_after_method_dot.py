# verdict: LIGHT REFACTOR
"""A product with a matrix is an array, whatever the rank of the other operand."""
import numpy as np


def run(n, steps):
    system = np.eye(n)
    b = np.ones(n)
    p = system.dot(b)
    for i in range(steps):
        z = system.dot(b)
        p = z + 0.5 * p  #> R202
    return p

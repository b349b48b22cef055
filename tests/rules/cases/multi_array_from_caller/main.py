# verdict: LIGHT REFACTOR
# recipes: RR-loop
"""Only the caller says what the parameter is: an array here, a list there."""
import numpy as np

from kernels import halve, scale


def run(n: int):
    x = np.linspace(0.0, 1.0, n)
    return scale(x, n), halve([1.0, 3.0])

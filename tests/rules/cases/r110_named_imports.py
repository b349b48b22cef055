# verdict: LIGHT REFACTOR
"""sum is Python's here: only the names that were imported are NumPy's."""
from numpy import cos, ndarray, pi


def fourier(coeff: ndarray, t: ndarray):
    total = sum(coeff)  #> R110
    return total * cos(2.0 * pi * t)


def lengths(parts: list) -> int:
    return sum(len(p) for p in parts)

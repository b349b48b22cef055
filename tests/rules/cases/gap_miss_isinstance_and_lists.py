# verdict: READY
"""isinstance tests are no calls of what they name, and methods of lists are not those of arrays."""
import numpy as np


def as_field(x):
    if isinstance(x, (np.generic, np.matrix)):
        raise TypeError("no matrix")
    return np.asarray(x)


def order(names: list) -> list:
    names.sort()
    names.reverse()
    return names


def power(u: np.ndarray) -> np.ndarray:
    return u * u / np.sum(u * u)  #> R001

# verdict: LIGHT REFACTOR
"""Steps within slice objects: by a name, in tuples, handed over, put into a list, made by np.s_."""
import numpy as np

STRIDE = (slice(1, -1, 4), slice(1, -1, 4))
EVEN = slice(0, None, 2)


def thin(n):
    u = np.zeros((n, n))
    half = slice(None, None, 2)
    a = u[half]  #> R106
    b = u[STRIDE]  #> R106
    u[EVEN, 1:] = 0.0  #> R106
    return a, b


def flipped(u: np.ndarray, axis):
    index = [slice(None)] * u.ndim
    index[axis] = slice(None, None, -1)
    return u[tuple(index)]  #> R106


def mirrored(u: np.ndarray):
    return u[(slice(None, None, -1),) * u.ndim]  #> R106


def picked(u, where):
    return u[where]  #> R106


def third(n):
    return picked(np.zeros(n), slice(None, None, 3))


def odd(u: np.ndarray):
    where = np.s_[1::2, :]
    return u[where]  #> R106

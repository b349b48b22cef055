# verdict: LIGHT REFACTOR
"""Places that one branch finds like this and the other like that, used behind both."""
import numpy as np


def positive(a: np.ndarray, strict):
    if strict:
        where = np.where(a > 0)  #> R204
    else:
        where = np.nonzero(a >= 0)  #> R204
    return a[where]


def cleared(a: np.ndarray, strict):
    if strict:
        where = np.where(a > 0)[0]  #> R204
    else:
        where = np.flatnonzero(a >= 0)  #> R204
    a[where] = 0.0
    return a

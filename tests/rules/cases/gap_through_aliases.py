# verdict: LIGHT REFACTOR
# gaps: numpy.interp numpy.linalg.lstsq numpy.random.choice
"""Names that are not implemented, through a plain import, a submodule and an alias."""
import numpy as np
import numpy.linalg as la
import numpy.random as nr
from numpy import interp as lookup


def calibrate(counts: np.ndarray, knots: np.ndarray, flux: np.ndarray) -> np.ndarray:
    return lookup(counts, knots, flux)


def fit(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return la.lstsq(a, b, rcond=None)[0]


def bootstrap(n: int) -> np.ndarray:
    return nr.choice(n, n)  #> R304

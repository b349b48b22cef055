# verdict: SIGNIFICANT REFACTOR
# gaps: numpy.interp
"""One kind of blocker and a gap on the hot path: from light to significant."""
import numpy as np


def resample(t: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.interp(t, x, y)


def clip(u: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        u *= 1.01
        if u.max() > 1.0:  #> R105
            u *= 0.5
    return u

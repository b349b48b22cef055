# verdict: READY
"""Rebinding in straight code, and in a loop over five stages."""
import numpy as np


def polynomial(x: np.ndarray) -> np.ndarray:
    y = 0.5 * x
    y = y * x + 1.0
    y = y * x - 2.0  #> R001
    return y


def stages(u: np.ndarray) -> np.ndarray:
    for c in (0.25, 0.1667, 0.375, 0.5, 1.0):
        u = u + c * np.sin(u)
    return u

# verdict: READY
"""A module without arrays beside one with clean array code."""
import numpy as np

import settings


def decay(n: int, steps: int) -> np.ndarray:
    u = np.ones(n)
    for _ in range(steps):
        u *= settings.RATE  #> R006
    return u

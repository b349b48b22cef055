# verdict: LIGHT REFACTOR
# recipes: RR-where
"""A curve of three pieces, chosen for one number at a time, called by others."""
import math

import numpy as np


@np.vectorize  #> R102
def drag(speed: float):
    """Laminar, then turbulent."""
    if speed < 0.0:
        return 0.0
    elif speed < 0.5:
        return 0.5 * speed**2
    return math.sqrt(speed) - 0.125


def force(speed: np.ndarray, area: float) -> np.ndarray:
    return area * drag(speed)

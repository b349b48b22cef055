# verdict: LIGHT REFACTOR
# gates: 4=pass
"""A flag that tests on elements switch, and a lagging counter, make no recurrence: nothing is written."""
import numpy as np


def inside(poly: np.ndarray, px: float, py: float) -> bool:
    j = len(poly) - 1
    odd = False
    for i in range(len(poly)):  #> R101
        if (poly[i, 1] < py) != (poly[j, 1] < py):
            slope = (poly[j, 0] - poly[i, 0]) / (poly[j, 1] - poly[i, 1])
            if poly[i, 0] + (py - poly[i, 1]) * slope < px:
                odd = not odd
        j = i
    return odd

# verdict: LIGHT REFACTOR
"""np.array in an annotation means an array, a list of arrays if it says so."""
from typing import List

import numpy as np


def largest(a: np.array, parts: List[np.array], n: int) -> float:
    best = 0.0
    for x in a:  #> R103
        best = best + x
    for p in parts:
        best = best + p
    for k in range(n):
        best = best + k
    return best

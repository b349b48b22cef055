# verdict: LIGHT REFACTOR
"""What math takes is one number, so a product of unknown rank is one element."""
import math

import numpy as np


def length(v):
    return math.sqrt(np.dot(v, v))  #> R104


def run(n, w: np.ndarray):
    total = 0.0
    for i in range(n):
        total += length(w)
    return total

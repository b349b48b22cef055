# verdict: LIGHT REFACTOR
"""What functools.reduce makes of arrays by a function of NumPy is an array."""
from functools import reduce

import numpy as np


def nearest(distances):
    near = reduce(np.minimum, distances)
    count = near.shape[0]
    return [near[i] if near[i] < 1e3 else 0 for i in range(count)]  #> R101

# verdict: LIGHT REFACTOR
"""Lists that only take in, or are only emptied, hand nothing from turn to turn."""
import numpy as np


def double(x: np.ndarray, names):
    out = np.zeros(len(x))
    seen = []
    for i in range(len(x)):  #> R101
        out[i] = x[i] * 2
        seen.append(i)
    for i in range(len(x)):  #> R101
        out[i] = x[i] * len(names.pop())
    return out, seen

# verdict: LIGHT REFACTOR
"""Windows that the counter moves from the end of an array, of a few elements each."""
import numpy as np


def ends(x: np.ndarray, width):
    n = len(x)
    out = np.zeros(n)
    for i in range(n - width):  #> R101
        out[i] = x[n - i - width:n - i].sum()
    return out

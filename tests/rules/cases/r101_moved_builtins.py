# verdict: LIGHT REFACTOR
"""range from six.moves is range."""
import numpy as np
from six.moves import range


def double(a: np.ndarray, n):
    out = np.zeros(n)
    for i in range(n):  #> R101
        out[i] = a[i] * 2
    return out

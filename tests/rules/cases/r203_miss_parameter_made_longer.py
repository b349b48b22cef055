# verdict: READY
"""What a function is given is longer in that call alone: nothing grows from call to call."""
import numpy as np


def with_border(x):
    if x.shape[0] % 2 == 1:
        x = np.append(x, 0.0)
    return np.sum(x * x)


def spectra(x: np.ndarray, n):
    out = []
    for k in range(n):
        out.append(with_border(x))
    return out

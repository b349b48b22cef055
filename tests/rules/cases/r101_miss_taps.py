# verdict: READY
"""The loop variable only shifts a full-size slice: taps of a filter."""
import numpy as np


def fir(x: np.ndarray, taps: np.ndarray) -> np.ndarray:
    m = taps.size - 1
    n = x.size
    out = np.zeros(n - m)
    for k in range(taps.size):
        out += taps[k] * x[m - k : n - k]  #> R006
    return out


def energy(x: np.ndarray):
    return np.sum(x * x)  #> R002

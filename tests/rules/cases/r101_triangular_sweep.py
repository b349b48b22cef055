# verdict: LIGHT REFACTOR
# gates: 4=pass
# single: numpy.flip
"""Sweeps whose slabs grow from turn to turn: the work of a turn is a whole slice, so they are no recurrences."""
import numpy as np


def prediction_filter(r: np.ndarray) -> np.ndarray:
    a = np.zeros(r.shape[0])
    power = r[0]
    for k in range(1, r.shape[0]):  #> R101
        gain = -(r[k] + np.dot(np.flip(r[:k]), a[:k])) / power
        a[:k] += gain * np.flip(a[:k])
        a[k] = gain
        power *= 1.0 - gain * gain
    return a


def substitute(lower: np.ndarray, b: np.ndarray) -> np.ndarray:
    x = np.zeros_like(b)
    for i in range(b.shape[0]):  #> R101
        x[i] = (b[i] - np.dot(lower[i, :i], x[:i])) / lower[i, i]
    return x

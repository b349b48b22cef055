# verdict: LIGHT REFACTOR
"""Weights that the loop only reads are small operands: the loop walks the signal."""
import numpy as np


def smooth(signal: np.ndarray) -> np.ndarray:
    weights = np.array([0.25, 0.5, 0.25])
    out = np.zeros_like(signal)
    for i in range(1, signal.size - 1):  #> R101
        out[i] = (signal[i - 1:i + 2] * weights).sum()
    return out

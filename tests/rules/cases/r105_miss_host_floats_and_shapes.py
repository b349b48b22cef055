# verdict: READY
"""Tests on shapes, dtypes, None, flags and host numbers."""
import numpy as np


def filter_bank(x: np.ndarray, taps: list, gain=None, steps: int = 1000) -> np.ndarray:
    acc = np.zeros_like(x)
    for k in range(steps):
        if x.ndim == 2 and x.shape[0] > 1:
            acc += taps[0] * x  #> R006
        if gain is None:
            acc *= 0.5
        if x.dtype == np.float32 or len(x) > 100:
            acc += 1.0
        if k > steps // 2:
            acc *= 0.99
    return acc

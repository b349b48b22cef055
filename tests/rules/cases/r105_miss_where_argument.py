# verdict: READY
"""Comparisons inside np.where and masks decide nothing on the host."""
import numpy as np


def limiter(a: np.ndarray, b: np.ndarray, out: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        out[:] = np.where(np.abs(a) < np.abs(b), a, b)  #> R004
        out[a * b <= 0.0] = 0.0  #> R007
        a += 0.1 * out
    return out

# verdict: READY
"""Negative indices and negative ranges are no negative steps."""
import numpy as np


def reflect(u: np.ndarray, n_steps: int) -> np.ndarray:
    for _ in range(n_steps, 0, -1):
        u[-1] = u[-2]
        u[0] = u[1]
        u[1:-1] += 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])  #> R005
    return u

# verdict: READY
"""Shapes that change from turn to turn, a hoisted buffer, and operator temporaries."""
import numpy as np


def levels(n_levels: int) -> list:
    sums = []
    for k in range(n_levels):
        grid = np.ones(64 * (k + 1))
        sums.append(np.sum(grid))
    return sums


def hoisted(u: np.ndarray, steps: int) -> np.ndarray:
    work = np.empty_like(u)
    for _ in range(steps):
        np.multiply(u, u, out=work)  #> R006
        u -= 0.1 * work + 0.01 * np.sin(u)
    return u

# verdict: LIGHT REFACTOR
# recipes: RR-stack
"""A matrix grows by a column and a row in each step; what is made to fit grows with it."""
import numpy as np


def grow(a: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        n = a.shape[0]
        col = np.full((n, 1), 0.5)
        row = np.ones((1, n + 1))
        a = np.vstack((np.hstack((a, col)), row))  #> R203
    return a


def symmetric(a: np.ndarray) -> np.ndarray:
    return 0.5 * (a + a.T)  #> R001

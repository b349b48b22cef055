# verdict: LIGHT REFACTOR
"""Shapes that change because a caller, a list or a number does are no repeated allocations."""
import numpy as np


class Level:
    def __init__(self, n):
        self.x = (np.arange(n + 2) - 1) * 0.1


def hierarchy(depth: int):
    grids = []
    n = 2
    for i in range(depth):
        grids.append(Level(n))
        n = n * 2
    return grids


def refine(depth: int):
    n = 4
    total = 0.0
    for i in range(depth):
        fine = np.zeros(n)
        total = total + fine.sum()
        n = 2 * n
    return total


def metric(x):
    return np.eye(len(x)) + x @ x.T


def grow(x: np.ndarray, n: int) -> np.ndarray:
    for i in range(n):
        p = metric(x)
        x = np.vstack((x, p[:1] @ x))  #> R203
    return x


def extrapolate(s: np.ndarray, d: np.ndarray, n: int):
    errors = []
    for it in range(n):
        errors.append(s @ d - d @ s)
        b = np.empty((len(errors) + 1, len(errors) + 1))
        b[-1, :] = -1.0
    return b

# verdict: READY
"""Reshapes of what changes in each turn, of unit axes, and outside of loops."""
import numpy as np


def step(u: np.ndarray, m: np.ndarray, n: int, steps: int) -> np.ndarray:
    for _ in range(steps):
        grid = m @ u
        u[:] = grid.reshape(n, -1).mean(axis=0)  #> R002
    return u


def broadcast(u: np.ndarray, n: int, steps: int) -> np.ndarray:
    acc = np.zeros((n, 8))
    col = np.ones(n)
    for _ in range(steps):
        acc += col.reshape(n, 1)
    return acc


def once(u: np.ndarray, n: int) -> np.ndarray:
    return u.reshape(n, -1) * 2.0

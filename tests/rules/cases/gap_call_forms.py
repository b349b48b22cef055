# verdict: LIGHT REFACTOR
# gaps: numpy.add.at numpy.multiply(where=)
"""Implemented functions in forms that raise; np.sum(where=) and .reduce work."""
import numpy as np


def scatter(grid: np.ndarray, cell: np.ndarray, charge: np.ndarray) -> np.ndarray:
    np.add.at(grid, cell, charge)
    return grid


def masked(a: np.ndarray, b: np.ndarray, ok: np.ndarray):
    c = np.zeros_like(a)
    np.multiply(a, b, out=c, where=ok)
    return np.sum(c, where=ok) + np.add.reduce(a)

# verdict: READY
"""A slice of three rows around a row: its leading axis is small whatever the row's number is."""
import numpy as np


def thickness(z: np.ndarray, r: int) -> np.ndarray:
    total = np.zeros(z.shape[1])
    for level in z[r - 1 : r + 2]:
        total += level
    return total / 3.0


def drift(z: np.ndarray, first: int) -> np.ndarray:
    parts = [np.sqrt(np.abs(layer)) for layer in z[first : first + 4, :]]
    return parts[0] + parts[3]

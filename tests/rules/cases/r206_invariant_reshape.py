# verdict: LIGHT REFACTOR
# recipes: RR-reshape
"""The same reshape of the same array in each iteration."""
import numpy as np


def residuals(kernel: np.ndarray, data: np.ndarray, n: int, n_iter: int) -> np.ndarray:
    acc = np.zeros((n, data.size // n))
    for _ in range(n_iter):
        acc += data.reshape(n, -1)  #> R206
        acc *= 0.5
    return acc


def dots(w: np.ndarray, image: np.ndarray, n_iter: int):
    total = np.zeros(image.size)
    for _ in range(n_iter):
        total += w * np.ravel(image)  #> R206
    return total

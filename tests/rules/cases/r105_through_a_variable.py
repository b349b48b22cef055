# verdict: LIGHT REFACTOR
# recipes: RR-converge
"""The change is named first, the test comes later."""
import numpy as np


def kmeans_step(x: np.ndarray, c: np.ndarray) -> np.ndarray:
    d = np.sum((x[:, None, :] - c[None, :, :]) ** 2, axis=2)
    weight = np.exp(-d)
    weight /= np.sum(weight, axis=1)[:, None]
    return (weight.T @ x) / np.sum(weight, axis=0)[:, None]


def kmeans(x: np.ndarray, c: np.ndarray, max_iter: int, tol: float) -> np.ndarray:
    for _ in range(max_iter):
        new = kmeans_step(x, c)
        shift = np.abs(new - c).max()
        c = new
        if shift < tol:  #> R105
            break
    return c

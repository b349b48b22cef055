# verdict: LIGHT REFACTOR
# recipes: RR-converge
"""A conversion inside the test belongs to the test."""
import numpy as np


def sinkhorn(k: np.ndarray, a: np.ndarray, b: np.ndarray, tol: float):
    u = np.ones_like(a)
    v = np.ones_like(b)
    while float(np.abs(u * (k @ v) - a).sum()) > tol:  #> R105
        np.divide(a, k @ v, out=u)
        np.divide(b, k.T @ u, out=v)
    return u, v

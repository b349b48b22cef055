# verdict: LIGHT REFACTOR
# recipes: RR-converge
"""The residual is bound inside the test."""
import numpy as np


def richardson(a: np.ndarray, b: np.ndarray, tol: float, max_iter: int) -> np.ndarray:
    x, r = np.zeros_like(b), np.empty_like(b)
    for _ in range(max_iter):
        np.subtract(b, a @ x, out=r)  #> R003
        if (res := np.linalg.norm(r)) < tol:  #> R105
            return x / res
        x += 0.1 * r
    return x

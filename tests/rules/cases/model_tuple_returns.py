# verdict: LIGHT REFACTOR
# recipes: RR-converge
"""A helper returns an array and a deferred scalar; the scalar is tested."""
import numpy as np


def newton(x: np.ndarray, target: np.ndarray):
    f = x * x - target
    return x - f / (2.0 * x), np.abs(f).max()


def roots(target: np.ndarray, tol: float, max_iter: int) -> np.ndarray:
    x = np.ones_like(target)
    for _ in range(max_iter):
        x, err = newton(x, target)
        if err < tol:  #> R105
            break
    return x

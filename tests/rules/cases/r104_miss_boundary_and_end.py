# verdict: READY
"""Conversions before and after the loop, and at module level."""
import numpy as np


def power_iteration(a: np.ndarray, n_iter: int) -> float:
    x = np.ones(a.shape[0])
    scale = float(np.abs(a).max())
    for _ in range(n_iter):
        y = a @ x  #> R003
        np.divide(y, np.linalg.norm(y), out=x)
    return float(x @ (a @ x)) / scale


if __name__ == "__main__":
    matrix = np.eye(4000) + 0.1
    value = float(power_iteration(matrix, 50))
    print(int(value * 1000.0))

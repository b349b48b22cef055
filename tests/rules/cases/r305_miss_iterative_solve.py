# verdict: READY
"""A function called solve that iterates with matrix products."""
import numpy as np


def solve(a: np.ndarray, b: np.ndarray, n_iter: int) -> np.ndarray:
    x = np.zeros_like(b)
    diag = np.diagonal(a)
    for _ in range(n_iter):
        x += (b - a @ x) / diag  #> R003
    return x


def cholesky(parts: list) -> int:
    return len(parts)

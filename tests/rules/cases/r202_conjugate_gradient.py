# verdict: LIGHT REFACTOR
# recipes: RR-inplace
"""Conjugate gradients with a test every so often; the scalars that are bound anew are no finding."""
import numpy as np


def cg(A: np.ndarray, b: np.ndarray, max_iter: int, tol: float) -> np.ndarray:
    x = np.zeros_like(b)
    r = b - A @ x  #> R003
    p = r.copy()
    rs = r @ r
    for k in range(max_iter):
        Ap = A @ p
        alpha = rs / (p @ Ap)
        x = x + alpha * p  #> R202
        r = r - alpha * Ap  #> R202
        rs_new = r @ r
        if k % 25 == 0:
            if float(rs_new) < tol:
                break
        p = r + (rs_new / rs) * p  #> R202
        rs = rs_new
    return x

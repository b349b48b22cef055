# verdict: READY
"""Printing a deferred value in the loop is an audit note, not a conversion."""
import numpy as np


def jacobi(u: np.ndarray, w: np.ndarray, sweeps: int):
    for k in range(sweeps):
        w[1:-1] = 0.5 * (u[:-2] + u[2:])  #> R005
        u, w = w, u  #> R006
        print(f"sweep {k}: sum {u.sum():.6f}")
    return u

# verdict: READY
# gates: 4=pass
"""The whole history of a heat equation is kept: slabs carry state, but the bound is a number of steps."""
import numpy as np


def history(u0: np.ndarray, n_steps: int, r: float) -> np.ndarray:
    ny, nx = u0.shape
    u = np.zeros((n_steps, ny, nx))
    u[0] = u0
    for n in range(1, n_steps):
        p = u[n - 1]
        u[n, 1:-1, 1:-1] = p[1:-1, 1:-1] + r * (  #> R005
            p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4.0 * p[1:-1, 1:-1]
        )
    return u

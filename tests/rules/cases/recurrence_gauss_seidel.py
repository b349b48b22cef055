# verdict: NOT RECOMMENDED
# gates: 4=fail
"""A sweep in place reads what the same sweep has written: no slice shift gives the same values."""
import numpy as np


def sweep(u, f, h2):
    ny, nx = u.shape
    for i in range(1, ny - 1):
        for j in range(1, nx - 1):
            u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - h2 * f[i, j])


def relax(u: np.ndarray, f: np.ndarray, h: float, sweeps: int) -> np.ndarray:
    for _ in range(sweeps):
        sweep(u, f, h * h)
    return u

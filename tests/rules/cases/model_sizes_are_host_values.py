# verdict: READY
"""Loops and slices bounded by shapes and lengths wait for nothing."""
import numpy as np


def multigrid_levels(u: np.ndarray, n_cycles: int) -> list:
    sums = []
    for _ in range(n_cycles):
        n = u.shape[0] // 2
        half = u[:n]
        rest = u[len(half) :]
        if half.size > 4 and half.ndim == 1:
            half += 0.1 * rest[:n]
        m = int(u.size) - max(n, rest.shape[0])
        sums.append(m)
    return sums

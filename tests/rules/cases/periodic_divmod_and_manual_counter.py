# verdict: READY
"""divmod, and a counter that a while loop keeps itself."""
import numpy as np

REPORT = 200


def relax(u: np.ndarray, f: np.ndarray, tol: float, max_iter: int) -> np.ndarray:
    it = 0
    err = 1.0
    while err > tol and it < max_iter:
        u += 0.1 * (f - u)
        it += 1
        if it % REPORT == 0:
            err = float(np.abs(f - u).max())
    return u


def march(q: np.ndarray, n: int) -> list:
    seen = []
    for step in range(n):
        q *= 0.999
        block, rest = divmod(step, REPORT)
        if rest == 0:
            seen.append((block, q.max().item()))
    return seen

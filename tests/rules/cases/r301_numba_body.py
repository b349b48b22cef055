# verdict: LIGHT REFACTOR
"""The body under numba.jit is not assessed; its call in the hot loop is a host boundary."""
import numba
import numpy as np


@numba.njit
def upwind(q, out, c):
    for i in range(1, q.shape[0]):
        if q[i] > 0.0:
            out[i] = q[i] - c * (q[i] - q[i - 1])


def advect(q: np.ndarray, c: float, steps: int) -> np.ndarray:
    out = np.zeros_like(q)
    for _ in range(steps):
        upwind(q, out, c)  #> R301
        q[:] = 0.5 * (q + out)
    return q

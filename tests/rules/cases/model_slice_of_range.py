# verdict: LIGHT REFACTOR
"""A part of a range is a range."""
import numpy as np


def solver(u: np.ndarray, v: np.ndarray, nx: int, nt: int) -> np.ndarray:
    inner = range(0, nx + 1)
    times = range(0, nt + 1)
    for n in times[1:-1]:
        for i in inner[1:-1]:  #> R101
            v[i] = 0.5 * (u[i - 1] + u[i + 1])
        u, v = v, u
        if np.max(u) > 10.0:  #> R105
            break
    return u

# verdict: READY
"""CuPy's conversions in a loop that holds no array of the other runtime."""
import cupy as cp
import cupynumeric as np


def on_cupy(n: int, steps: int):
    g = cp.zeros(n)
    for _ in range(steps):
        g = cp.asarray(g)
        g += 1.0
    return g


def on_legate(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    return np.sqrt(u * u + v * v)  #> R001

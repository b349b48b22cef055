# verdict: READY
"""Functions of our own that are called like SciPy's."""
import numpy as np


def laplace(f: np.ndarray) -> np.ndarray:
    out = np.zeros_like(f)
    out[1:-1] = f[2:] - 2.0 * f[1:-1] + f[:-2]  #> R005
    return out


def minimize(f: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        f += 0.1 * laplace(f)
    return f

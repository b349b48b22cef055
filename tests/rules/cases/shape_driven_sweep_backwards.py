# verdict: LIGHT REFACTOR
# gates: 4=pass
"""Back substitution row by row for many right-hand sides: slabs with state, bound by the array's own axis."""
import numpy as np


def back_substitute(upper: np.ndarray, y: np.ndarray) -> np.ndarray:
    """`upper` holds the factor of each row; y has shape (rows, systems)."""
    x = np.zeros_like(y)
    x[-1, :] = y[-1, :]
    for i in range(y.shape[0] - 2, -1, -1):  #> R101
        x[i, :] = y[i, :] - upper[i] * x[i + 1, :]
    return x


def residual(x: np.ndarray, y: np.ndarray):
    return np.linalg.norm(x - y)  #> R002

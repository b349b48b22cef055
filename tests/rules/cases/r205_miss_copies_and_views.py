# verdict: READY
"""flatten copies in NumPy as well, a transpose and a new axis are views in both, and reading is free."""
import numpy as np


def window(section: np.ndarray) -> np.ndarray:
    flat = section.flatten()
    flat[0] = 0.0
    return flat


def edges(m: np.ndarray) -> np.ndarray:
    t = m.T
    t[0, :] = 0.0
    inner = m[1:-1, 1:-1]
    inner[:] = 1.0
    return m


def diagonal_matrix() -> np.ndarray:
    d = np.diag(np.linspace(0.0, 1.0, 100))
    d[0, 0] = 1.0
    return d


def column(v: np.ndarray) -> np.ndarray:
    c = v[:, None]
    c *= 2.0
    return v


def read_only(section: np.ndarray):
    return section.ravel().mean() + section.reshape(2, -1).max()

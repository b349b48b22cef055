# verdict: READY
"""SciPy's solve is SciPy's: a host boundary."""
import numpy as np
from scipy.linalg import solve


def weights(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray(solve(a, b))  #> R301


def residual(a: np.ndarray, x: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.sqrt(np.sum((a @ x - b) ** 2, axis=0))  #> R002

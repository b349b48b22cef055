# verdict: READY
"""A density called normal and a module-level function called uniform draw nothing."""
import numpy as np


def normal(x: np.ndarray, mu: float, sigma: float) -> np.ndarray:
    z = (x - mu) / sigma
    return np.exp(-0.5 * z * z) / (sigma * np.sqrt(2.0 * np.pi))  #> R001


def uniform(x: np.ndarray, lo: float, hi: float) -> np.ndarray:
    return np.where((x >= lo) & (x <= hi), 1.0 / (hi - lo), 0.0)  #> R004


def mixture(x: np.ndarray) -> np.ndarray:
    return 0.7 * normal(x, 0.0, 1.0) + 0.3 * uniform(x, -1.0, 1.0)

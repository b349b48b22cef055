# verdict: READY
"""An array of shape (n, 1) that is indexed by one number is touched by single elements."""
import numpy as np


def radial_profile(v: np.ndarray, ring: np.ndarray, n: int) -> np.ndarray:
    prof = np.zeros((n, 1))
    for j in range(n):
        prof[j] = np.mean(v[ring == j])  #> R007
    return prof


def contrast(v: np.ndarray) -> np.ndarray:
    return (v - np.mean(v)) / (np.max(v) - np.min(v))  #> R002

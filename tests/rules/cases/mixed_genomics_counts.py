# verdict: LIGHT REFACTOR
"""Read counts: a ragged object array, and dense normalisation that is fine."""
import numpy as np


def ragged(reads: list) -> np.ndarray:
    return np.array(reads, dtype=object)  #> R107


def cpm(counts: np.ndarray) -> np.ndarray:
    depth = counts.sum(axis=0)  #> R002
    return 1e6 * counts / depth[None, :]


def log_fold(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.log2(a + 1.0) - np.log2(b + 1.0)  #> R001


def coverage(starts: np.ndarray, length: int) -> np.ndarray:
    return np.cumsum(np.bincount(starts, minlength=length))

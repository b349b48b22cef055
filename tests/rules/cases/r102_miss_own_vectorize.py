# verdict: READY
"""A function of our own that happens to be called vectorize."""
import numpy as np


def vectorize(entries, index, width):
    counts = [0] * width
    for e in entries:
        counts[index[e]] += 1
    return counts


def similarity(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cosine of all rows against all rows."""
    na = np.sqrt(np.sum(a * a, axis=1))  #> R002
    nb = np.sqrt(np.sum(b * b, axis=1))
    return (a @ b.T) / (na[:, None] * nb[None, :])  #> R003


def query(entries: list, index: dict):
    return vectorize(entries, index, 64)

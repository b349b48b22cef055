# verdict: READY
"""A large array is worked on in chunks of many rows."""
import numpy as np

CHUNK = 1 << 20


def distances(points: np.ndarray, centre: np.ndarray) -> np.ndarray:
    n = points.shape[0]
    out = np.empty(n)
    for lo in range(0, n, CHUNK):
        block = points[lo : lo + CHUNK]
        out[lo : lo + CHUNK] = np.sqrt(np.sum((block - centre) ** 2, axis=1))
    return out

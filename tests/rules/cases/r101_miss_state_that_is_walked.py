# verdict: READY
"""A step that rewrites the whole of the array it picks from is a step, not a sweep over rows."""
import numpy as np


def shortest(path: np.ndarray):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path[:], path[:, k][:, None] + path[k, :])
    return path

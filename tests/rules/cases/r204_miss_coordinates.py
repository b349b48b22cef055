# verdict: READY
"""Indices used as numbers, masks used directly, and where with three arguments."""
import numpy as np


def centroid(image: np.ndarray, level: float):
    rows, cols = np.nonzero(image > level)
    return rows.mean(), cols.mean()  #> R002


def count(image: np.ndarray, level: float) -> int:
    return len(np.flatnonzero(image > level))


def clean(image: np.ndarray) -> np.ndarray:
    image[image < 0.0] = 0.0  #> R007
    return np.where(image > 1.0, 1.0, image)  #> R004

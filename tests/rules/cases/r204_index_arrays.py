# verdict: LIGHT REFACTOR
# recipes: RR-mask
"""The result of nonzero and its relatives only serves as an index."""
import numpy as np


def despike(trace: np.ndarray, limit: float) -> np.ndarray:
    bad = np.nonzero(np.abs(trace) > limit)[0]  #> R204
    trace[bad] = 0.0
    return trace


def bright(image: np.ndarray, level: float) -> np.ndarray:
    idx = np.flatnonzero(image > level)  #> R204
    return np.sqrt(image.ravel()[idx])


def direct(image: np.ndarray) -> np.ndarray:
    image[np.where(image < 0.0)] = 0.0  #> R204
    return image


def method(image: np.ndarray) -> np.ndarray:
    rows, cols = (image > 1.0).nonzero()  #> R204
    return image[rows, cols]

# verdict: READY
"""A star import brings NumPy's own min, max, sum, any, all."""
from numpy import *


def rescale(img: ndarray) -> ndarray:
    lo = min(img)
    hi = max(img)
    return (img - lo) / (hi - lo)  #> R001


def spread(img: ndarray):
    return sum(img * img) / img.size  #> R002


def valid(img: ndarray):
    return all(isfinite(img))

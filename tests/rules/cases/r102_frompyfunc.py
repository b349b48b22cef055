# verdict: LIGHT REFACTOR
"""A Python function made into an object ufunc inside the function that uses it."""
import numpy as np


def wrap(angle):
    return (angle + 180.0) % 360.0 - 180.0


def heading_error(course: np.ndarray, track: np.ndarray) -> np.ndarray:
    wrap_all = np.frompyfunc(wrap, 1, 1)  #> R102
    return wrap_all(course - track)

# verdict: SIGNIFICANT REFACTOR
# gaps: numpy.interp
"""Three ids and a gap: never worse than significant."""
import numpy as np


def thin(x: np.ndarray) -> np.ndarray:
    return x[::2]  #> R106


def smallest(x: np.ndarray):
    return min(x)  #> R110


def column_major(n: int) -> np.ndarray:
    return np.zeros((n, n), order="F")  #> R109


def resample(t: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.interp(t, x, y)

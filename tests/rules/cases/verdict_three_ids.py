# verdict: SIGNIFICANT REFACTOR
# gates: 3=uncertain
"""Exactly three different BLOCKS ids."""
import numpy as np


def thin(x: np.ndarray) -> np.ndarray:
    return x[::2]  #> R106


def smallest(x: np.ndarray):
    return min(x)  #> R110


def column_major(n: int) -> np.ndarray:
    return np.zeros((n, n), order="F")  #> R109

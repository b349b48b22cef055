# verdict: LIGHT REFACTOR
"""A structured dtype for particles, and dates."""
import numpy as np


def particles(n: int) -> np.ndarray:
    return np.zeros(n, dtype=[("x", "f8"), ("y", "f8"), ("q", "i4")])  #> R107


def days(stamps: list) -> np.ndarray:
    return np.array(stamps, dtype="datetime64[D]")  #> R107


def positions(n: int, m: int) -> np.ndarray:
    return np.zeros((n, m), dtype="f8")

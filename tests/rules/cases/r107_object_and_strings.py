# verdict: LIGHT REFACTOR
"""Arrays of Python objects, of text, and of long doubles."""
import numpy as np


def catalogue(entries: list) -> np.ndarray:
    return np.array(entries, dtype="O")  #> R107


def station_codes(codes: list) -> np.ndarray:
    return np.array(codes, dtype="U5")  #> R107


def accumulate(x: np.ndarray) -> np.ndarray:
    wide = x.astype("longdouble")  #> R107
    return wide - wide.mean()


def ragged(n: int) -> np.ndarray:
    return np.empty(n, dtype=object)  #> R107

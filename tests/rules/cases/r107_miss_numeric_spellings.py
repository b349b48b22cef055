# verdict: READY
"""Every spelling of a numeric dtype is fine."""
import numpy as np


def fields(n: int):
    a = np.zeros(n, dtype="f4")
    b = np.zeros(n, dtype=np.complex128)
    c = np.ones(n, dtype=bool)
    d = np.full(n, 3, dtype="int32")
    e = np.empty(n, dtype=float)
    return a, b, c, d, e


def widen(a: np.ndarray) -> np.ndarray:
    return a.astype("float64") + a.astype(int)  #> R001

# verdict: READY
# gates: 2=pass
"""The size is a product of module constants: 64 million."""
import numpy as np

NX = 8000
NY = NX


def init() -> np.ndarray:
    return np.ones((NX, NY))


def total(a: np.ndarray):
    return np.sum(np.cos(a) * a)  #> R002


def run():
    return total(init())

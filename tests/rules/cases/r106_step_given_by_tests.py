# verdict: LIGHT REFACTOR
"""A step of one by default is none where a test passes another."""
import numpy as np


def thinned(u: np.ndarray, gap=0):
    return u[:: gap + 1].sum()  #> R106


def test_thinned():
    assert thinned(np.ones(8), 0) == 8
    assert thinned(np.ones(8), gap=1) == 4

# verdict: READY
# gaps: numpy.set_printoptions numpy.seterr numpy.errstate
"""How numbers are printed and what is done about errors touches no array: listed, but no step down."""
import numpy as np


def main():
    np.set_printoptions(precision=3)
    np.seterr(all="ignore")
    return total(np.ones(10**8))


def total(x):
    with np.errstate(over="ignore"):
        return np.sum(x * x)

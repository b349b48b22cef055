# verdict: SIGNIFICANT REFACTOR
"""One kind of blocker, spread over nine functions."""
import numpy as np


def f1(x: np.ndarray):
    return x[::2]  #> R106


def f2(x: np.ndarray):
    return x[::3]  #> R106


def f3(x: np.ndarray):
    return x[::4]  #> R106


def f4(x: np.ndarray):
    return x[::5]  #> R106


def f5(x: np.ndarray):
    return x[::6]  #> R106


def f6(x: np.ndarray):
    return x[::7]  #> R106


def f7(x: np.ndarray):
    return x[::8]  #> R106


def f8(x: np.ndarray):
    return x[1::2]  #> R106


def f9(x: np.ndarray):
    return x[2::2]  #> R106

# verdict: LIGHT REFACTOR
"""NumPy under another name, one function under another, a submodule under a third."""
import numpy as N
import numpy.linalg as la
from numpy import asarray as A
from numpy import sum as total


def fit(x: list, y: list, n_iter: int, rate: float):
    xs = A(x)
    ys = A(y)
    slope = N.zeros(1)
    trace = []
    for _ in range(n_iter):
        err = xs * slope - ys  #> R001
        slope -= rate * total(err * xs)
        trace.append(float(la.norm(err)))  #> R104
    return slope, trace

"""`order=` in all positions, and where the layout shows."""
import numpy as np


def made(n: int):
    a = np.zeros((n, 3), order="F")  #> R109 safe
    b = np.ones((n, 3), float, "F")  #> R109 safe
    c = np.full((n, 3), 2.0,  # twos
                order='C')  #> R109 safe
    d = np.empty(order="F", shape=(n, 3))  #> R109 safe
    d[:] = 4.0
    return a + b, c * 1.0, d * 2.0 + a[:, 0:1].sum()


def shown(n: int):
    a = np.zeros((n, 3), order="F")  #> R109 same
    flat = a.reshape(-1)
    flat[0] = 5.0
    return a.sum()


def shared():
    a = np.ones((40, 3))
    b = np.asarray(a, order="C")  #> R109 same
    b[0, 0] = 7.0
    c = a.copy(order="C")  #> R109 safe
    c[0, 0] = 8.0
    return a, c


def values():
    a = np.arange(120.0).reshape(40, 3)
    return a.ravel(order="F"), np.reshape(a, (3, 40), order="F")  #> R109 none


def defaults(n: int):
    a = np.arange(n * 3.0).reshape((n, 3), order="C")  #> R109 safe
    b = np.ravel(a.T, order="C")  #> R109 safe
    c = a.T.flatten("C")  #> R109 safe
    d = np.copy(a.T, order="C")  #> R109 same
    return a, b, c, d, np.ones((n, 2), order="C")  #> R109 safe


def main():
    return [*made(30), *defaults(20), *shared(), *values()]

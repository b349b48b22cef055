"""`order=` in all positions, and where the layout shows."""
import numpy as np


def made(n: int):
    a = np.zeros((n, 3), order="F")  #> R109 safe
    b = np.ones((n, 3), float, "F")  #> R109 safe
    c = np.full((n, 3), 2.0,  # twos
                order='C')  #> R109 safe
    d = np.empty(order="F", shape=(n, 3))  #> R109 safe
    d[:] = 4.0
    a[0, 1] = b[1, 2] + 1.0
    e = np.arange(n * 3.0).reshape(n, 3)
    e += 2.0 * a - np.sin(b)
    e[1:] = d[1:] * b[:-1]
    return (a + b).sum(axis=0), c * 1.0, np.max(d * 2.0 + a[:, 0:1]), e, len(a), b.shape


def line(n: int):
    a = np.zeros(n + 40, order="F")  #> R109 safe
    return a, np.ones(40, order="F") + 1.0  #> R109 safe


def made_of_it(n: int):
    a = np.zeros((n, 3), order="F")  #> R109 look
    b = a + 1.0
    flat = b.ravel()
    flat[1] = 5.0
    return b


def operand(n: int):
    b = np.zeros((n, 3), order="F") + 1.0  #> R109 look
    flat = b.ravel()
    flat[1] = 5.0
    return b


def memory_order(n: int):
    a = np.zeros((n, 3), order="F")  #> R109 look
    a[0, 1] = 1.0
    return np.sum(a.flatten("A") * np.arange(n * 3))  #> R109 none


def strides(n: int):
    a = np.zeros((n, 3), order="F")  #> R109 look
    return np.array(a.strides), np.sum(a)


def in_a_function(n: int):
    a = np.zeros((n, 3), order="F")  #> R109 look
    a[0, 1] = 1.0
    return weighted(a)


def weighted(v):
    return np.sum(np.ravel(v, "K") * np.arange(v.size))  #> R109 none


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
    return [*made(30), *line(30), made_of_it(30), operand(30), memory_order(30), *strides(30), in_a_function(30), *defaults(20), *shared(), *values()]

# verdict: READY
# unchecked: R301
"""Reshapes in functions that are called again and again, of what is another array each time."""
import numpy as np
from scipy.optimize import minimize

B = np.ones((100, 100))


def flat(a):
    return a.reshape(-1)


def run(table: np.ndarray, n):
    out = []
    for k in range(n):
        scaled = table * k
        out.append(flat(scaled))
    return out


def changing(n):
    out = []
    for k in range(n):
        B[:] = k
        out.append(filled(k))
    return out


def filled(k):
    return np.sum(B.ravel()) * k


def cost(x):
    return np.sum(x.reshape(-1))


def fitted():
    return minimize(cost, np.zeros((10, 10)))

# verdict: LIGHT REFACTOR
# unchecked: R301
"""A reshape in a function that a loop or a library calls again and again, of what stays the same."""
import numpy as np
from scipy.optimize import minimize

A = np.ones((100, 100))


def picked(a, idx):
    return a.ravel()[idx]  #> R206


def run(table: np.ndarray, n, idx):
    total = 0.0
    for k in range(n):
        total += picked(table, idx) * k
    return total


def closed(n):
    m = np.zeros((100, 100))

    def step(k):
        return np.sum(m.reshape(-1)) * k  #> R206

    total = 0.0
    for k in range(n):
        total += step(k)
    return total


def cost(x):
    return np.sum(A.ravel()) * np.sum(x)  #> R206


def fitted():
    return minimize(cost, np.zeros(10))

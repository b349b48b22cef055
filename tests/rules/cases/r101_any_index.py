# verdict: LIGHT REFACTOR
"""The same indices without a dependence: another turn's element is never read, or was never written."""
import numpy as np


def derived(y: np.ndarray) -> np.ndarray:
    n = y.shape[0]
    x = np.zeros(n)
    for k in range(n):  #> R101
        i = n - 1 - k
        x[i] = y[i] / 2.0
    return x


def odd_from_even(o: np.ndarray, n: int):
    for j in range(1, n):  #> R101
        o[2 * j] = 0.5 * o[2 * j - 1]


def ahead(o: np.ndarray, n: int):
    for j in range(n):  #> R101
        o[j] = 0.5 * o[j + 1]

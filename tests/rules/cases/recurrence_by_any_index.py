# verdict: NOT RECOMMENDED
# gates: 4=fail
"""A recurrence however its index is written: shifted, reversed, scaled, counted down, derived, clamped, periodic."""
import numpy as np


def shifted(o: np.ndarray, b: np.ndarray, q: int, n: int):
    for j in range(n):
        o[q + j] = 0.5 * o[q + j - 1] + b[q + j]


def reversed_(o: np.ndarray, b: np.ndarray, n: int):
    for j in range(n):
        o[n - j] = 0.5 * o[n - j + 1] + b[n - j]


def scaled(o: np.ndarray, b: np.ndarray, n: int):
    for j in range(1, n):
        o[2 * j] = 0.5 * o[2 * j - 2] + b[j]


def counted_down(o: np.ndarray, b: np.ndarray, q: int, n: int):
    j = n
    while j > 0:
        o[q - j] = 0.5 * o[q - j - 1] + b[q - j]
        j -= 1


def derived(u: np.ndarray, y: np.ndarray) -> np.ndarray:
    n = y.shape[0]
    x = np.zeros(n + 1)
    for k in range(n):
        i = n - 1 - k
        x[i] = (y[i] - u[i] * x[i + 1]) / 2.0
    return x


def clamped(n):
    u = np.zeros(n)
    for i in range(n):
        u[i] = 0.5 * u[max(i - 1, 0)] + 1.0
    return u


def periodic(n):
    u = np.zeros(n)
    for i in range(n):
        u[i] = 0.5 * u[(i - 1) % n] + 1.0
    return u

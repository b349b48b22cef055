# verdict: LIGHT REFACTOR
"""Rows of a flat array, each made of the one before: steps in time, and one element of a row a turn."""
import numpy as np


def steps(u: np.ndarray, w, h):
    for i in range(1, h):
        for q in range(1, w - 1):  #> R101
            u[q + i * w] = 0.5 * np.sin(u[q - 1 + (i - 1) * w] + u[q + 1 + (i - 1) * w])
    return u


def shifted(u: np.ndarray, v: np.ndarray, w, h):
    for i in range(1, h):  #> R101
        for q in range(w):
            v[q + i * w] = u[q + (i - 1) * w] + 1.0
    return v


def other_column(u: np.ndarray, w, h):
    for i in range(1, h):  #> R101
        u[i * w] = 0.5 * u[(i - 1) * w + 1] ** 2
    return u

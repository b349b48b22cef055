# verdict: LIGHT REFACTOR
"""a[:, i:i + 1] is one row that keeps its axis; columns that a vector is cleared of carry state."""
import numpy as np


def backward(gradient, a, cache, stride=2):
    out = np.zeros_like(a)
    _, h, w, _ = gradient.shape
    for i in range(h):  #> R101~
        for j in range(w):  #> R101~
            top = i * stride
            left = j * stride
            out[:, top:top + 2, left:left + 2, :] += gradient[:, i:i + 1, j:j + 1, :] * cache
    return out


def clear_of(basis, v, count):
    for j in range(count):
        q = basis[:, j:j + 1]
        v -= (q.T @ v) * q
    return v


def taps(x, weights, n):
    y = np.zeros(n)
    for k in range(8):
        y += weights[k] * x[k:k + n]
    return y

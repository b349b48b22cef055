# verdict: NOT RECOMMENDED
# gates: 4=fail
"""Gauss-Seidel by rows: each element needs the whole vector that the same sweep is writing."""
import numpy as np


def sweep(a: np.ndarray, b: np.ndarray, x: np.ndarray, sweeps):
    for _ in range(sweeps):
        for j in range(len(b)):
            x[j] += (b[j] - a[j, :] @ x) / a[j, j]
    return x


def ascent(kernel: np.ndarray, y: np.ndarray, epochs):
    alpha = np.zeros(len(y))
    for _ in range(epochs):
        for j in range(len(y)):
            alpha[j] -= y[j] * (np.dot(alpha * y, kernel[:, j]) - y[j]) / kernel[j, j]
    return alpha

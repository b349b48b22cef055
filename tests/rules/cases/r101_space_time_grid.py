# verdict: LIGHT REFACTOR
# gates: 4=pass
"""Steps through a grid of space and time: each step reads the one before, its elements do not need one another."""
import numpy as np


def heat(nt, nx):
    u = np.zeros((nt + 1, nx))
    for n in range(nt):
        for i in range(1, nx - 1):  #> R101
            u[n + 1, i] = u[n, i] + 0.1 * (u[n, i - 1] - 2 * u[n, i] + u[n, i + 1])
    return u


def chained(nt, nx):
    u = np.zeros((nt + 1, nx))
    for n in range(nt):
        for i in range(1, nx - 1):  #> R101
            u[n + 1][i] = u[n][i] + 0.1 * (u[n][i - 1] - 2 * u[n][i] + u[n][i + 1])
    return u


def one_step(u: np.ndarray, n):
    for i in range(1, u.shape[1] - 1):  #> R101
        u[n + 1, i] = u[n, i] + 0.1 * (u[n, i - 1] - 2 * u[n, i] + u[n, i + 1])


def tree(n, p, discount):
    v = np.zeros((n + 1, n + 1))
    for i in range(n - 1, -1, -1):
        for j in range(i + 1):  #> R101
            v[i, j] = discount * (p * v[i + 1, j + 1] + (1 - p) * v[i + 1, j])
    return v[0, 0]

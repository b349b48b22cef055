# SPDX-License-Identifier: Apache-2.0
"""Tables that are scaled, transformed and solved by rows and columns."""

import numpy as np

N = 20


def standardise(table):
    out = np.empty(table.shape)
    for j in range(table.shape[1]):
        column = table[:, j]
        out[:, j] = (column - column.mean()) / (column.max() - column.min())
    return out


def weighted(table, weights):
    out = np.zeros(table.shape)
    for i in range(len(weights)):
        out[i, :] = table[i, :] * weights[i]
    return out


def solve_each(matrices, sides):
    out = np.empty(sides.shape)
    for k in range(matrices.shape[0]):
        out[k, :] = np.linalg.solve(matrices[k, :, :], sides[k, :])
    return out


def centre(volume):
    for z in range(volume.shape[0]):
        volume[z, ...] -= volume[z, ...].mean()
    return volume


table = np.linspace(0.0, 1.0, N * N).reshape(N, N) ** 2
weights = np.arange(N) / N
matrices = np.ones((N, 3, 3)) + 4.0 * np.eye(3)
print(standardise(table).shape, weighted(table, weights).shape)
print(solve_each(matrices, np.ones((N, 3))).shape, centre(np.ones((N, 4, 4))).shape)

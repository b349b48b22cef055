# SPDX-License-Identifier: Apache-2.0
"""Loops over arrays themselves: rows, pairs, numbered, in comprehensions and by map."""

import numpy as np

N = 30


def longest(rows):
    best = np.zeros(())
    for row in rows:
        best = np.maximum(best, np.sqrt(np.sum(row * row)))
    return best


def numbered(values):
    out = np.zeros(len(values))
    for i, value in enumerate(values):
        out[i] = 2.0 * value
    return out


def products(left, right):
    return [a * b for a, b in zip(left, right)]


def double(row):
    return 2.0 * row


def doubled(rows):
    return list(map(double, rows))


rows = np.linspace(0.0, 1.0, N * 3).reshape(N, 3)
values = np.linspace(0.0, 1.0, N)
print(longest(rows), numbered(values).shape)
print(len(products(values, values)), len(doubled(rows)))

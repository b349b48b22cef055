# SPDX-License-Identifier: Apache-2.0
"""Indices of what a mask selects: to index with them, or as numbers."""

import numpy as np

N = 24


def clip(values):
    values[np.where(values > 0.5)] = 0.5
    return values


def positive(values):
    places = np.flatnonzero(values > 0.0)
    return values[places]


def zero_corner(image):
    i, j = np.nonzero(image > 0.9)
    image[i, j] = 0.0
    return image


def members(values, labels, count):
    sums = np.zeros(count)
    for k in range(count):
        sums[k] = values[(labels == k).nonzero()[0]].sum()
    return sums


def large(values):
    places = np.argwhere(values > 0.3)  #> unseen R204
    return values[places]


def coordinates(image):
    rows, columns = np.nonzero(image > 0.5)  #> places
    return rows, columns


values = np.linspace(-1.0, 1.0, N)
image = np.linspace(0.0, 1.0, N).reshape(6, 4)
labels = np.arange(N) % 3
print(clip(values).shape, positive(values).shape, zero_corner(image).shape)
print(members(values, labels, 3).shape, large(values).shape, len(coordinates(image)))

# SPDX-License-Identifier: Apache-2.0
"""Loops over a handful of things with whole arrays in them, which are no loops over data."""

import numpy as np

CHANNELS, DIRECTIONS = 12, 12


def balance(image, gains):
    for c in range(CHANNELS):
        image[:, :, c] *= gains[c]  #> few
    return image


def moments(f, speeds):
    total = np.zeros(f.shape[1:])
    for d in range(DIRECTIONS):
        total += speeds[d] * f[d, :, :]  #> few
    return total


gains = np.linspace(0.5, 1.5, CHANNELS)
image = np.ones((8, 8, CHANNELS))
print(balance(image, gains).shape, moments(np.ones((DIRECTIONS, 6, 6)), gains).shape)

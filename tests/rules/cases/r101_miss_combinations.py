# verdict: READY
"""Pairs and orders of a few channels: how many there are follows from the items."""
import itertools
from itertools import combinations_with_replacement

import numpy as np


def moments(image: np.ndarray) -> np.ndarray:
    out = np.zeros((3, 3))
    for i, j in combinations_with_replacement(range(3), 2):
        out[i, j] = out[j, i] = np.mean(image[:, :, i] * image[:, :, j])
    return out


def spread(image: np.ndarray) -> np.ndarray:
    out = np.zeros((4, 4))
    for i, j in itertools.permutations(range(4), 2):
        out[i, j] = np.mean(image[:, :, i] - image[:, :, j])
    return out


def distances(image: np.ndarray) -> np.ndarray:
    out = np.zeros((6, 6))
    for i, j in itertools.combinations(range(6), 2):
        out[i, j] = np.mean(np.abs(image[:, :, i] - image[:, :, j]))
    return out

# verdict: LIGHT REFACTOR
# gaps: numpy.fromfunction
"""What fromfunction gives back is computed, not only allocated."""
import numpy as np


def bell(shape, width):
    def distance(i, j):
        return i * i + j * j

    return np.exp(-np.fromfunction(distance, shape, dtype=float) / width)


def run(n):
    total = np.zeros((512, 512))
    for step in range(n):
        total += bell(total.shape, 0.5)
    return total

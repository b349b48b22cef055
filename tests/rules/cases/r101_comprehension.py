# verdict: LIGHT REFACTOR
"""Comprehensions over indices: one walks an array, the other a list."""
import numpy as np


def magnitudes(flux: np.ndarray, zero_point: float) -> list:
    return [zero_point - 2.5 * np.log10(flux[i]) for i in range(len(flux))]  #> R101


def doubled(counts: list) -> list:
    return [2 * counts[i] for i in range(len(counts))]

# verdict: LIGHT REFACTOR
"""Iterating arrays directly, in pairs, and in a comprehension."""
import numpy as np


def centroid_shift(old: np.ndarray, new: np.ndarray) -> list:
    moved = []
    for p, q in zip(old, new):  #> R103
        moved.append(np.sqrt(np.sum((p - q) ** 2)))
    return moved


def row_entropy(prob: np.ndarray) -> list:
    return [-np.sum(p * np.log(p)) for p in prob]  #> R103


def columns(prob: np.ndarray) -> list:
    return list(map(np.max, prob.T))  #> R103

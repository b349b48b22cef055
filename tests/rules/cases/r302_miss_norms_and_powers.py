# verdict: READY
"""Norms and matrix powers of numpy.linalg, and a local function called svd."""
import numpy as np


def svd(scores: list) -> list:
    return sorted(scores)


def markov(p: np.ndarray, v: np.ndarray) -> np.ndarray:
    return v @ np.linalg.matrix_power(p, 64)


def relative(a: np.ndarray, b: np.ndarray, scores: list):
    return np.linalg.norm(a - b) / np.linalg.norm(b), svd(scores)  #> R002

# verdict: LIGHT REFACTOR
# unchecked: R201
"""A number and the copy of an element: Python's max waits for the element."""
import random

import numpy as np


def optimise(gram: np.ndarray, target: np.ndarray, alphas: np.ndarray, cap: float, rounds: int):
    for _ in range(rounds):
        i = random.randrange(alphas.shape[0])
        low = max(0.0, cap - alphas[i].copy())  #> R104
        slope = gram @ alphas - target  #> R003
        alphas -= 0.1 * low * slope
    return alphas

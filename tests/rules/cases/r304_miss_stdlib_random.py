# verdict: READY
"""The standard library's random, and a linear congruential field of our own."""
import random

import numpy as np


def pick(count: int) -> list:
    return [random.random() for _ in range(count)]


def hashed(index: np.ndarray, seed: int) -> np.ndarray:
    v = np.sin(index * 12.9898 + seed) * 43758.5453  #> R001
    return v - np.floor(v)

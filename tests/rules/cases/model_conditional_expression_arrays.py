# verdict: READY
"""Branches that make an array either way: it stays an array, and the test is on a flag."""
import numpy as np


def weights(n: int, uniform: bool) -> np.ndarray:
    w = np.ones(n) if uniform else np.linspace(0.0, 1.0, n)
    return w / w.sum()  #> R001


def apply(x: np.ndarray, uniform: bool, steps: int) -> np.ndarray:
    w = weights(x.shape[0], uniform)
    for k in range(steps):
        x *= w if k > 3 else 1.0
    return x

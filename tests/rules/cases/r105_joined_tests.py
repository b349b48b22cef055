# verdict: LIGHT REFACTOR
# recipes: RR-converge
"""Tests joined by and, or, not; the one on counters alone is none."""
import numpy as np


def anneal(x: np.ndarray, f: np.ndarray, steps: int) -> np.ndarray:
    scale = 1.0
    for k in range(steps):
        x -= scale * f
        worst = np.abs(x).max()
        if scale > 0.1 and not worst < 1e3:  #> R105
            scale = 0.5
        if k > 100 or steps < 50:
            scale = 0.25
        assert x.any() or steps == 1  #> R105
    return x

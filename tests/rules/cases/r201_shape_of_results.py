# verdict: LIGHT REFACTOR
"""What a function of the program hands back, one of several results, has the shape of what it was given."""
import numpy as np


def half_step(u: np.ndarray, v: np.ndarray):
    w = u + 0.5 * v
    return w, v - 0.5 * w, np.sum(w)


def run(u: np.ndarray, v: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        before = u.copy()  #> R201
        [u, v, energy] = half_step(before, v)
        if np.max(np.abs(u - before)) < 1e-9:  #> R105
            break
    return u

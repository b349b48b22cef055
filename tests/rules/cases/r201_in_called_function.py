# verdict: LIGHT REFACTOR
# recipes: RR-alloc
"""Scratch space in a helper that a time loop calls; the helper's result itself is kept."""
import numpy as np


def tendency(h: np.ndarray, u: np.ndarray, out: np.ndarray) -> None:
    flux = np.empty_like(h)  #> R201
    np.multiply(h, u, out=flux)  #> R006
    out[1:-1] = 0.5 * (flux[2:] - flux[:-2])  #> R005


def run(h: np.ndarray, u: np.ndarray, n_steps: int) -> np.ndarray:
    dh = np.zeros_like(h)
    for _ in range(n_steps):
        tendency(h, u, dh)
        h -= 0.01 * dh
    return h

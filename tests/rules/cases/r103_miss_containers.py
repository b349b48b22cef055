# verdict: READY
"""Loops over tuples, lists and dicts of arrays: each turn is a whole array."""
import numpy as np


def l2_penalty(weights: list, lam: float):
    total = 0.0
    for w in (weights[0] * 1.0, weights[-1] * 1.0):
        total = total + lam * np.sum(w * w)
    return total


def rescale(rho: np.ndarray, mom: np.ndarray, ener: np.ndarray, factor: float):
    for field in (rho, mom, ener):
        field *= factor
    state = {"rho": rho, "mom": mom, "ener": ener}
    for name, field in state.items():
        field += 1.0
    for a, b in zip([rho, mom], [mom, ener]):
        a -= b
    return state

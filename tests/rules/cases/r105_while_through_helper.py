# verdict: LIGHT REFACTOR
# recipes: RR-converge RR-alloc
"""Jacobi until the relative change is small: the value comes through a helper, and a copy is taken each turn."""
import numpy as np


def l2_change(p: np.ndarray, pn: np.ndarray):
    return np.sqrt(np.sum((p - pn) ** 2) / np.sum(pn**2))


def laplace(p: np.ndarray, target: float) -> np.ndarray:
    change = 1.0
    while change > target:  #> R105
        pn = p.copy()  #> R201
        p[1:-1, 1:-1] = 0.25 * (pn[1:-1, 2:] + pn[1:-1, :-2] + pn[2:, 1:-1] + pn[:-2, 1:-1])  #> R005
        change = l2_change(p, pn)
    return p

# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""The conversion stands in a helper that a hot loop calls; the other helper is called once, at the end."""
import numpy as np


def energy(psi: np.ndarray):
    return float(np.sum(psi * psi))  #> R104


def mass(psi: np.ndarray):
    return float(np.sum(psi))


def evolve(psi: np.ndarray, potential: np.ndarray, n_steps: int):
    trace = []
    for _ in range(n_steps):
        psi *= np.exp(-potential)
        trace.append(energy(psi))
    return trace, mass(psi)

# verdict: LIGHT REFACTOR
"""What a compiled function returns lies on the host: testing and indexing it are no findings of their own."""
import numpy as np
from numba import njit


@njit
def sweep(phi):
    before = np.sum(phi)
    for i in range(1, phi.shape[0] - 1):
        phi[i] = 0.5 * (phi[i - 1] + phi[i + 1])
    return phi, before, np.sum(phi)


def solve(n, tol):
    phi = np.zeros(n)
    phi, a, b = sweep(phi)  #> R301
    err = abs(b - a)
    while err > tol:
        phi, a, b = sweep(phi)  #> R301
        err = abs(b - a)
    out = []
    for i in range(1, n - 1):
        out.append(phi[i])
    return out


@njit
def flip(spins, t):
    return spins


def sample(spins, steps, every):
    energy = np.zeros(steps)
    for step in range(steps):
        spins = flip(spins, 0.1)  #> R301
        if step % every == 0:
            energy[step // every] = 1.0
    return energy, spins


def start(n):
    return sample(np.ones((n, n)), 1000, 10)

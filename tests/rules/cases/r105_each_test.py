# verdict: LIGHT REFACTOR
# recipes: RR-converge
"""if, assert, ternary, and a while that tests what the array says."""
import numpy as np


def shock(rho: np.ndarray, flux: np.ndarray, steps: int):
    dt = 1e-3
    for _ in range(steps):
        rho -= dt * flux
        if rho.min() < 0.0:  #> R105
            rho += 1e-6
        assert np.isfinite(rho).all()  #> R105
        dt = 0.5 * dt if np.max(flux) > 10.0 else dt  #> R105
    return rho


def settle(u: np.ndarray, w: np.ndarray):
    while not np.allclose(u, w):  #> R105
        u[:] = 0.5 * (u + w)
    return u

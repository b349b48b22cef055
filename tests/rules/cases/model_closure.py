# verdict: LIGHT REFACTOR
# recipes: RR-converge
"""The step function is a closure over the fields."""
import numpy as np


def simulate(n: int, tol: float) -> np.ndarray:
    u = np.zeros((n, n))
    w = np.ones((n, n))

    def sweep():
        w[1:-1, 1:-1] = 0.25 * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])  #> R005
        u[:] = w

    def change():
        return np.abs(u - w).max()

    while change() > tol:  #> R105
        sweep()
    return u

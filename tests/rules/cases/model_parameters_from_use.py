# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""No annotation, no caller: the shape and the slices of the parameter give it away."""
import numpy as np


def relax(phi, rho, n_iter):
    ny, nx = phi.shape
    h = 1.0 / nx
    trace = []
    for _ in range(n_iter):
        phi[1:-1, 1:-1] = 0.25 * (  #> R005
            phi[2:, 1:-1] + phi[:-2, 1:-1] + phi[1:-1, 2:] + phi[1:-1, :-2] + h * h * rho[1:-1, 1:-1]
        )
        trace.append(float(np.sum(phi[1:-1, 1:-1])))  #> R104
    return trace

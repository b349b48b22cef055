# verdict: LIGHT REFACTOR
# recipes: RR-sync RR-alloc
"""Acoustic wave propagation with a receiver that is read every step and a fresh Laplacian."""
import numpy as np


def propagate(vel: np.ndarray, wavelet: list, nt: int, src: int, rec: int, dt: float):
    p = np.zeros_like(vel)
    q = np.zeros_like(vel)
    seismogram = []
    for it in range(nt):
        lap = np.zeros_like(p)  #> R201
        lap[1:-1, 1:-1] = (  #> R005
            p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4.0 * p[1:-1, 1:-1]
        )
        q[:] = 2.0 * p - q + dt * dt * vel * vel * lap
        q[src, src] += wavelet[it]
        p, q = q, p  #> R006
        seismogram.append(float(p[rec, rec]))  #> R104
    return seismogram

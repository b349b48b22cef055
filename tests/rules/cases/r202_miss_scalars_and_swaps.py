# verdict: READY
"""Scalars, swaps, where, matrix products, and in-place forms."""
import numpy as np


def march(n: int, steps: int, dt: float) -> np.ndarray:
    u = np.ones(n)
    w = np.zeros(n)
    m = np.eye(n)
    t = 0.0
    for _ in range(steps):
        t = t + dt
        dt = dt * 0.999
        np.multiply(u, t, out=w)  #> R006
        u, w = w, u  #> R006
        u = np.where(u > 0.0, u, 0.0)  #> R004
        u = m @ u  #> R003
        u += 1.0
    return u

# verdict: NOT RECOMMENDED
# gates: 4=fail
"""Position, rate and covariance feed each other from step to step, through several arrays."""
import numpy as np


def alpha_beta(z: np.ndarray, dt: float, q: float, r: float):
    n = z.shape[0]
    x = np.zeros(n)
    v = np.zeros(n)
    p = np.ones(n)
    for k in range(1, n):
        xp = x[k - 1] + dt * v[k - 1]
        pp = p[k - 1] + q
        gain = pp / (pp + r)
        resid = z[k] - xp
        x[k] = xp + gain * resid
        v[k] = v[k - 1] + gain * resid / dt
        p[k] = (1.0 - gain) * pp
    return x, v, p

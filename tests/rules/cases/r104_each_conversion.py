# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""Every way of taking a value to the host in a time loop."""
import math

import numpy as np


def integrate(u: np.ndarray, v: np.ndarray, steps: int):
    log = []
    for _ in range(steps):
        u += 0.01 * v
        v -= 0.01 * u
        kinetic = float(np.sum(v * v))  #> R104
        cells = int(np.sum(u > 0.5))  #> R104
        amplitude = math.sqrt(np.max(u * u))  #> R104
        mean = u.mean().item()  #> R104
        profile = u[0].tolist()  #> R104
        log.append((kinetic, cells, amplitude, mean, profile))
    return log

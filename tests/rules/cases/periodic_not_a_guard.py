# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""No guards: a period of one, a test on something else, the other branch of a modulo."""
import numpy as np

PERIOD = 1
EVERY = 10


def run(u: np.ndarray, v: np.ndarray, steps: int, level: int) -> list:
    log = []
    for k in range(steps):
        u += 0.1 * v
        if k % PERIOD == 0:
            log.append(float(u.sum()))  #> R104
        if level % EVERY == 0:
            log.append(float(u.max()))  #> R104
        if k % EVERY != 0:
            log.append(float(v.min()))  #> R104
    return log

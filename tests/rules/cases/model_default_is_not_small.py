# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""A trip count of ten from a default argument says little; one from a module constant says all."""
import numpy as np

STAGES = 4


def sweeps(u: np.ndarray, f: np.ndarray, n_iter: int = 10) -> list:
    log = []
    for _ in range(n_iter):
        u += 0.1 * (f - u)
        log.append(float(u.max()))  #> R104
    return log


def stages(u: np.ndarray, f: np.ndarray) -> list:
    log = []
    for _ in range(STAGES):
        u += 0.1 * (f - u)
        log.append(float(u.max()))
    return log

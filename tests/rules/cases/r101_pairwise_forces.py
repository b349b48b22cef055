# verdict: LIGHT REFACTOR
# gates: 4=pass
"""Direct summation of gravity over pairs of bodies."""
import numpy as np

EPS2 = 1e-4


def accelerations(pos: np.ndarray, mass: np.ndarray) -> np.ndarray:
    n = pos.shape[0]
    acc = np.zeros_like(pos)
    for i in range(n):  #> R101~
        for j in range(n):  #> R101~
            if i != j:
                d = pos[j] - pos[i]
                r2 = np.sum(d * d) + EPS2
                acc[i] += mass[j] * d / (r2 * np.sqrt(r2))
    return acc


def kinetic(vel: np.ndarray, mass: np.ndarray):
    return 0.5 * np.sum(mass[:, None] * vel * vel)  #> R002

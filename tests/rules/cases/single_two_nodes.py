# verdict: LIGHT REFACTOR
# context: elements=500M gpus=8 nodes=2
# single: numpy.flip
"""The same on two nodes: it stands in the loop, so it is central, and demotes."""
import numpy as np


def symmetrise(u: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        u[:] = 0.5 * (u + np.flip(u, axis=0))
    return u

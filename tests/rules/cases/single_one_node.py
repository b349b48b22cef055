# verdict: READY
# context: elements=50M gpus=4 nodes=1
# single: numpy.flip
"""A single-GPU function in the loop: on one node no matter for the verdict."""
import numpy as np


def symmetrise(u: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        u[:] = 0.5 * (u + np.flip(u, axis=0))
    return u

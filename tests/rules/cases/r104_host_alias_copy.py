# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""cupynumeric with the host's NumPy beside it: the field is gathered in each step; at the end once is fine."""
import cupynumeric as np
import numpy as onp


def evolve(field: np.ndarray, kernel: np.ndarray, steps: int):
    frames = []
    for _ in range(steps):
        field *= kernel
        frames.append(onp.asarray(field))  #> R104
    return frames


def snapshot(field: np.ndarray):
    return onp.asarray(field)

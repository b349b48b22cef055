# verdict: READY
"""Steps in slices of lists, strings, ranges, and of host arrays."""
import cupynumeric as np
import numpy as onp


def schedule(steps: list, tag: str) -> tuple:
    return steps[::2], tag[::-1], range(100)[::10]


def checker_mask(n: int):
    mask = onp.zeros(n, dtype=bool)
    mask[1::2] = True
    return np.asarray(mask)


def damp(u: np.ndarray, n: int, steps: int) -> np.ndarray:
    mask = checker_mask(n)
    for _ in range(steps):
        u[mask] *= 0.5  #> R007
    return u

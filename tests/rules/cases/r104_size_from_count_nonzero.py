# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""A generator's draw and a buffer whose lengths are counted in an array."""
import numpy as np


def refill(u: np.ndarray, steps: int, rng: np.random.Generator) -> np.ndarray:
    for _ in range(steps):
        low = u < 0.1
        u[low] = rng.uniform(0.1, 1.0, size=np.count_nonzero(low))  #> R104 R304
        u *= 0.9
    return u


def pulses(u: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        high = u > 1.0
        count = high.sum()
        u[high] -= np.linspace(0.0, 0.5, count)  #> R104
        u *= 1.1
    return u

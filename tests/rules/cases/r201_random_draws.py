# verdict: LIGHT REFACTOR
# recipes: RR-alloc
"""Monte Carlo: a fresh draw of the same shape per step, by the module and by a generator."""
import numpy as np


def paths(s: np.ndarray, n: int, steps: int, sigma: float) -> np.ndarray:
    for _ in range(steps):
        z = np.random.normal(0.0, 1.0, n)  #> R201 R304
        s *= np.exp(-0.5 * sigma * sigma + sigma * z)
    return s


def jitter(x: np.ndarray, n: int, steps: int, rng: np.random.Generator) -> np.ndarray:
    for _ in range(steps):
        kick = rng.normal(size=n)  #> R201 R304
        x += 0.01 * kick
    return x

# verdict: LIGHT REFACTOR
# recipes: RR-converge
"""Hot through two calls: the test stands three functions away from the loop."""
import numpy as np


def guard(u: np.ndarray) -> None:
    if np.isnan(u).any():  #> R105
        raise FloatingPointError("not a number")


def update(u: np.ndarray, f: np.ndarray) -> None:
    u += 0.1 * f
    guard(u)


def cycle(u: np.ndarray, f: np.ndarray) -> None:
    update(u, f)
    update(f, u)


def run(u: np.ndarray, f: np.ndarray, n_steps: int) -> np.ndarray:
    for _ in range(n_steps):
        cycle(u, f)
    return u

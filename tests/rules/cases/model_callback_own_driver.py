# verdict: LIGHT REFACTOR
# recipes: RR-alloc
"""A right-hand side is handed to an integrator of our own, whose loop makes it hot."""
import numpy as np


def euler(rhs, y: np.ndarray, dt: float, steps: int) -> np.ndarray:
    for _ in range(steps):
        y += dt * rhs(y)
    return y


def pendulum_field(y: np.ndarray) -> np.ndarray:
    work = np.zeros_like(y)  #> R201
    np.sin(y, out=work)  #> R006
    return -9.81 * work


def run(y0: np.ndarray, steps: int) -> np.ndarray:
    return euler(pendulum_field, y0, 1e-3, steps)

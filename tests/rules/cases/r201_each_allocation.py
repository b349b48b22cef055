# verdict: LIGHT REFACTOR
# recipes: RR-alloc
"""The same shapes are allocated anew in each step."""
import numpy as np


def diffuse(c: np.ndarray, n: int, steps: int) -> np.ndarray:
    for _ in range(steps):
        lap = np.zeros_like(c)  #> R201
        lap[1:-1] = c[2:] - 2.0 * c[1:-1] + c[:-2]  #> R005
        old = c.copy()  #> R201
        c += 0.1 * lap
        x = np.linspace(0.0, 1.0, n)  #> R201
        ramp = np.arange(n)  #> R201
        c -= 1e-3 * old * x * ramp
    return c

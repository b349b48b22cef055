# verdict: LIGHT REFACTOR
# recipes: RR-host-fallback
"""A SciPy filter in each time step crosses to the host and back; one at set-up does not weigh."""
import numpy as np
from scipy import ndimage, signal


def design(n: int):
    return signal.get_window("hann", n)  #> R301


def cahn_hilliard(c: np.ndarray, steps: int) -> np.ndarray:
    mu = np.empty_like(c)
    for _ in range(steps):
        np.multiply(c, c * c - 1.0, out=mu)  #> R006
        mu -= ndimage.laplace(c)  #> R301
        c += 0.01 * mu
    return c

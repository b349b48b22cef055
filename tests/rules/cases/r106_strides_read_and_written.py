# verdict: LIGHT REFACTOR
"""Red-black ordering by strides: reads and writes with a step, and a reversal."""
import numpy as np


def red_black(u: np.ndarray, f: np.ndarray, sweeps: int) -> np.ndarray:
    for _ in range(sweeps):
        u[1:-1:2] = 0.5 * (u[:-2:2] + u[2::2] - f[1:-1:2])  #> R106
    return u


def backwards(signal: np.ndarray) -> np.ndarray:
    return signal[::-1]  #> R106


def decimate(image: np.ndarray, k: int) -> np.ndarray:
    return image[:, ::k]  #> R106

# verdict: READY
"""A list called fft, and a discrete transform by a matrix product."""
import numpy as np


def dft(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    return w @ x  #> R003


def bands(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    fft = dft(x, w)
    power = np.abs(fft) ** 2  #> R001
    return power / power.sum()

# verdict: LIGHT REFACTOR
"""A window of the array for each output element."""
import numpy as np

HALF = 7


def local_mean(signal: np.ndarray) -> np.ndarray:
    n = signal.shape[0]
    out = np.zeros(n)
    for i in range(HALF, n - HALF):  #> R101
        out[i] = np.mean(signal[i - HALF : i + HALF + 1])
    return out


def detrended(signal: np.ndarray) -> np.ndarray:
    return signal - local_mean(signal)  #> R001

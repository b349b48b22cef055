# verdict: READY
"""A pseudo-spectral step: each transform is one note per statement."""
import numpy as np


def burgers(u: np.ndarray, ik: np.ndarray, dt: float, steps: int) -> np.ndarray:
    for _ in range(steps):
        ux = np.fft.ifft(ik * np.fft.fft(u)).real  #> R303
        uxx = np.fft.ifft(ik * ik * np.fft.fft(u)).real  #> R303
        u += dt * (0.01 * uxx - u * ux)
    return u

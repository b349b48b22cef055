# verdict: READY
# gates: 4=pass
"""Many modes are added to a whole field; the spectra are read one element at a time."""
import numpy as np


def synthesise(x: np.ndarray, amp: np.ndarray, freq: np.ndarray, phase: np.ndarray) -> np.ndarray:
    field = np.zeros_like(x)
    for k in range(amp.size):
        field += amp[k] * np.cos(freq[k] * x + phase[k])  #> R006
    return field

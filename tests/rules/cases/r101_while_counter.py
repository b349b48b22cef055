# verdict: LIGHT REFACTOR
# recipes: RR-loop
"""A while loop with a counter of its own is an element loop as well."""
import numpy as np


def photon_counts(energy: np.ndarray, gain: np.ndarray) -> np.ndarray:
    n = energy.shape[0]
    counts = np.zeros(n)
    i = 0
    while i < n:  #> R101
        counts[i] = np.floor(energy[i] * gain[i])
        i += 1
    return counts


def backoff(attempts: list) -> list:
    waits = []
    k = 0
    while k < len(attempts):
        waits.append(2.0 ** attempts[k])
        k += 1
    return waits

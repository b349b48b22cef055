# verdict: NOT RECOMMENDED
# gates: 4=fail
"""A recurrence that counts from behind by a minus sign."""
import numpy as np


def back(o: np.ndarray, n):
    for j in range(1, n):
        o[-j] = np.sin(o[-j + 1])
    return o

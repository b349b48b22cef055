# verdict: READY
"""What is made of a slice of itself has another shape in each turn."""
import numpy as np


def price(n):
    q = np.ones((n + 1, 101))
    for k in range(n - 1, -1, -1):
        held = (q[:-1, :] + q[1:, :]) / 2
        buy = np.copy(held)
        buy[:, :-1] = 0.9 * held[:, 1:]
        q = np.minimum(buy, held)
    return q

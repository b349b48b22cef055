# verdict: NOT RECOMMENDED
# gates: 4=fail
"""The table is written through a view of itself that is shifted by one: still a recurrence."""
import numpy as np


def align(cost: np.ndarray):
    r, c = cost.shape
    whole = np.zeros((r + 1, c + 1))
    inner = whole[1:, 1:]
    whole[1:, 1:] = cost
    for i in range(r):
        for j in range(c):
            inner[i, j] += 0.5 * whole[i, j] + 0.25 * whole[i, j + 1] + 0.25 * whole[i + 1, j]
    return inner

# verdict: NOT RECOMMENDED
# gates: 4=fail
"""The loop is a recurrence, so Python's max over two elements of the table is a finding of its own."""
import numpy as np


def best_path(gain: np.ndarray) -> np.ndarray:
    rows, cols = gain.shape
    t = np.zeros((rows + 1, cols + 1))
    for i in range(1, rows + 1):
        for j in range(1, cols + 1):
            t[i, j] = gain[i - 1, j - 1] + max(t[i - 1, j], t[i, j - 1])  #> R104
    return t


def cheapest(cost: np.ndarray) -> np.ndarray:
    way = np.zeros_like(cost)
    for k in range(2, cost.shape[0]):
        way[k] = cost[k] + min(way[k - 1], way[k - 2])  #> R104
    return way

# verdict: LIGHT REFACTOR
"""A path traced back through a table: each step looks at a few neighbours of the one before."""
import numpy as np


def trace(cost: np.ndarray) -> np.ndarray:
    m, n = cost.shape
    path = np.zeros(m, dtype=np.int64)
    path[-1] = np.argmin(cost[-1])
    for row in range(m - 2, -1, -1):
        p = path[row + 1]
        if p == 0:  #> R105
            path[row] = np.argmin(cost[row, :2])
        else:
            path[row] = np.argmin(cost[row, p - 1 : min(p + 2, n - 1)]) + p - 1  #> R104
    return path


def smooth(table: np.ndarray) -> np.ndarray:
    total = np.sum(table * table, axis=1)
    return table / np.sqrt(total)[:, np.newaxis]


def main(table: np.ndarray) -> np.ndarray:
    for _ in range(1000):
        table = smooth(table + 0.5 * np.roll(table, 1, axis=0))
        table = table - np.mean(table, axis=0)  #> R202
        table = 0.5 * (table + np.roll(table, 1, axis=1))  #> R202
        table = np.maximum(table, 0.0)  #> R202
    return table

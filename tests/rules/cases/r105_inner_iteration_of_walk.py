# verdict: LIGHT REFACTOR
"""A fixed-point iteration for each row: its test waits in each of its steps, not once a row."""
import numpy as np


def components(signals: np.ndarray, tol: float, turns: int) -> np.ndarray:
    n = signals.shape[0]
    rows = np.random.rand(n, n)  #> R304
    for c in range(n):  #> R101
        w = rows[c, :].copy()
        change, i = 100.0, 0
        while change > tol and i < turns:  #> R105
            projected = np.tanh(np.dot(w, signals))
            new = np.mean(signals * projected, axis=1) - np.mean(1 - projected**2) * w
            new = new / np.sqrt(np.sum(new**2))  #> R202
            change = np.abs(np.abs(np.sum(new * w)) - 1)
            w = new
            i += 1
        rows[c, :] = w
    return rows


def first_above(table: np.ndarray, limit: float) -> np.ndarray:
    found = np.zeros(table.shape[0])
    for r in range(table.shape[0]):  #> R101
        k = 0
        while k < table.shape[1] - 1 and table[r, k] < limit:
            k += 1
        found[r] = table[r, k]
    return found

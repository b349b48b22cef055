# verdict: LIGHT REFACTOR
"""A row that a walking loop has picked is bound again to what is made of it: a new row each time."""
import numpy as np


def normalised(table: np.ndarray, chosen: list) -> np.ndarray:
    out = np.zeros_like(table)
    for i in range(table.shape[0]):  #> R101
        row = table[i, :]
        row = row / np.sum(row)  #> R202
        out[i, :] = row
    return out

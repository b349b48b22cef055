# verdict: SIGNIFICANT REFACTOR
"""What hot callers hand over is the same each time: so is the allocation."""
import numpy as np


def buffer(count):
    scratch = np.zeros(count)  #> R201
    scratch += 1.0
    return float(scratch.sum())  #> R104


def drive(n: int, steps: int):
    total = 0.0
    for step in range(steps):
        total += buffer(n)
    return total


def slope(row):
    k = np.arange(float(row.size))  #> R201
    return row * k


def sweep(field: np.ndarray, steps: int, width: int):
    bent = np.zeros_like(field)
    for step in range(steps):
        for i in range(width):  #> R101
            bent[i, :] = slope(field[i, :])
        field += bent
    return field


def sweep_columns(field: np.ndarray, steps: int, width: int):
    bent = np.zeros_like(field)
    for step in range(steps):
        for j in np.arange(width):  #> R103
            bent[:, j] = slope(field[:, j].T)
        field += bent
    return field

# verdict: READY
"""A product by its name is no update by elements, nor is one of rows."""
import numpy as np


def powers(steps: int) -> np.ndarray:
    m = np.eye(400)
    for _ in range(steps):
        m = np.matmul(m, m)  #> R003
        m = np.dot(m, m) + 1.0  #> R003
    return m

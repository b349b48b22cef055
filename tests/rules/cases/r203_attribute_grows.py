# verdict: LIGHT REFACTOR
# recipes: RR-stack
"""The array that grows is an attribute, and grows in a method that a loop calls."""
import numpy as np


class Recorder:
    def __init__(self, width: int):
        self.rows = np.empty((0, width))

    def push(self, row: np.ndarray) -> None:
        self.rows = np.vstack([self.rows, row])  #> R203


def simulate(u: np.ndarray, steps: int) -> np.ndarray:
    rec = Recorder(u.size)
    for _ in range(steps):
        u *= 0.99
        rec.push(u)
    return rec.rows

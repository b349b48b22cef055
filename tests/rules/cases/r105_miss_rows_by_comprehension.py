# verdict: LIGHT REFACTOR
# recipes: RR-loop
"""Rows go to a method, out of a comprehension and out of map; its tests belong to those findings."""
import numpy as np


class Limiter:
    def __init__(self, top: float):
        self.top = top

    def label(self, row):
        if np.sum(row) > self.top:
            return 1
        return 0 if row[0] < 0.0 else 2

    def labels(self, table: np.ndarray) -> list:
        return [self.label(row) for row in table]  #> R103

    def mapped(self, table: np.ndarray) -> list:
        return list(map(self.label, table))  #> R103

# verdict: LIGHT REFACTOR
"""A further `for` of a comprehension takes arrays apart as the first one does."""
import numpy as np


class Net:
    def __init__(self, sizes: list):
        self.weights = []
        for a, b in zip(sizes[:-1], sizes[1:]):
            self.weights.append(np.zeros((a, b)))

    def flat(self) -> list:
        return [w for layer in self.weights for w in layer.flat]  #> R103


def pairs(names: list, values: np.ndarray) -> list:
    return [(name, v) for name in names for v in values]  #> R103


def cells(table: np.ndarray) -> list:
    return [2.0 * x for row in table for x in row]  #> R103

# verdict: LIGHT REFACTOR
# recipes: RR-loop
"""The counter picks items out of a list and elements out of an array: the latter is enough."""
import numpy as np


class Gram:
    def __init__(self, samples: list, kernel):
        self.samples = samples
        self.kernel = kernel

    def energy(self, alpha: np.ndarray) -> float:
        total = 0.0
        for i in range(len(self.samples)):  #> R101~
            for j in range(len(self.samples)):  #> R101~
                near = self.kernel(self.samples[i], self.samples[j])
                total += alpha[i] * alpha[j] * near
        return total


def overlap(charges: np.ndarray, shells: list) -> float:
    total = 0.0
    for k in range(len(shells)):  #> R101
        total += charges[k] * shells[k].extent()
    return total

# verdict: LIGHT REFACTOR
# recipes: RR-loop
"""The pairs stay one name in the loop and are taken apart in its body."""
import numpy as np


class Tracker:
    def __init__(self, position: np.ndarray, weight: np.ndarray):
        self.data = zip(position, weight)
        self.centre = np.zeros(position.shape[1])

    def gather(self):
        for p in self.data:  #> R103
            self.centre += p[1] * p[0]
        return self.centre

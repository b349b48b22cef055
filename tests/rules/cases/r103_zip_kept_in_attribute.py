# verdict: LIGHT REFACTOR
# recipes: RR-loop
"""The pairs are zipped when the object is made, and walked in another method."""
import numpy as np


class Adaline:
    def __init__(self, x: np.ndarray, target: np.ndarray):
        self.pairs = zip(x, target)
        self.w = np.zeros(x.shape[1])

    def learn(self, rate):
        for row, wanted in self.pairs:  #> R103
            error = wanted - np.dot(row, self.w)
            self.w += rate * error * row

    def predict(self, x: np.ndarray) -> np.ndarray:
        return x @ self.w  #> R003

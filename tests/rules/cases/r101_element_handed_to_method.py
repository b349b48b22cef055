# verdict: LIGHT REFACTOR
"""What a walking loop hands to a method, an element or the counter that picks one, is part of its finding there."""
import numpy as np


class Machine:
    def __init__(self, n):
        self.alpha = np.zeros(n)
        self.out = np.zeros(n)

    def clip(self, a, high):
        if a > high:
            a = high
        return a

    def bound(self, j):
        return max(0, self.alpha[j])

    def run(self):
        for j in range(len(self.alpha)):  #> R101
            self.out[j] = self.clip(self.alpha[j] * 2.0, self.bound(j))

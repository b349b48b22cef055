# verdict: LIGHT REFACTOR
"""A base class iterates until a number is small that its subclasses compute."""
import numpy as np


class Registration:
    def __init__(self, x: np.ndarray, tolerance=1e-3):
        self.x = x
        self.tolerance = tolerance
        self.change = np.inf
        self.calls = 0

    def register(self):
        while self.change > self.tolerance:  #> R105
            self.update()
            self.calls += 1
            if self.calls > 1000:
                break
        return self.x


class Rigid(Registration):
    def update(self):
        before = self.x.sum()
        self.x *= 0.5
        self.change = np.abs(self.x.sum() - before)

# verdict: LIGHT REFACTOR
"""The object that a caller hands over says more than the base class of an annotation, also through super()."""
import numpy as np


class Loss:
    def __call__(self, a, b):
        pass


class SquaredError(Loss):
    def __call__(self, a, b):
        return np.mean(np.square(a - b))


class Fit:
    def __init__(self, loss: Loss):
        self.loss = loss


class Damped(Fit):
    def __init__(self, loss: Loss, attempts: int = 10):
        super().__init__(loss)
        self.attempts = attempts

    def run(self, x: np.ndarray, y: np.ndarray):
        best = self.loss(x, y)
        k = 0
        while k < self.attempts:
            k += 1
            x *= 0.9
            new = self.loss(x, y)
            if new < best:  #> R105
                best = new
                break
        return best


Damped(SquaredError()).run(np.ones(10**7), np.ones(10**7))

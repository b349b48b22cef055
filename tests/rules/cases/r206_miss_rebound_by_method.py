# verdict: READY
"""A method of a subclass that is called in the loop may rebind the attribute."""
import numpy as np


class Base:
    def fit(self, x, turns=100):
        self.w = np.zeros((10, 10))
        for i in range(turns):
            self.maximize(x)
            flat = np.hstack((self.w.ravel(), self.w.ravel()))
        return flat

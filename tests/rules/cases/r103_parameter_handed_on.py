# verdict: LIGHT REFACTOR
# recipes: RR-loop
"""Nothing in `nearest` says that x is an array; another method, which gets the same x, says it."""
import numpy as np


class Clusters:
    def __init__(self, k, dims):
        self.centres = np.zeros((k, dims))

    def fit(self, x):
        self.seed(x)
        return self.nearest(x)

    def seed(self, x):
        self.centres[:] = x[:1, :] + 0.1 * np.mean(x, axis=0)

    def nearest(self, x):
        found = []
        for point in x:  #> R103
            found.append(np.argmin(np.sum((self.centres - point) ** 2, axis=1)))
        return found

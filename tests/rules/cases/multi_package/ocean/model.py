import numpy as np

from . import operators as ops


class Model:
    def __init__(self, n):
        self.h = np.ones((n, n))
        self.div = np.zeros_like(self.h)

    def step(self):
        ops.divergence(self.h, self.div)
        self.h -= 0.01 * self.div

# verdict: LIGHT REFACTOR
"""A hot call of a method means the methods that override it, too."""
import numpy as np


class Base:
    def __init__(self, start):
        self.n = len(start)
        self.x = np.array(start)

    def move(self, x):
        u = np.random.uniform(-1, 1, size=self.n)  #> R201 R304
        return x + u

    def run(self, steps):
        for _ in range(steps):
            self.x = self.move(self.x)
        return self.x


class Heavy(Base):
    def move(self, x):
        u = np.random.uniform(-2, 2, size=self.n)  #> R201 R304
        return x + np.tan(u)

# verdict: LIGHT REFACTOR
"""A list attribute that the constructor fills before it reads it again."""
import numpy as np


class Level:
    def __init__(self, n):
        self.v = np.zeros(n)

    def norm(self):
        return np.sqrt(np.sum(self.v[1:-1] ** 2))


class Solver:
    def __init__(self, n):
        self.levels = []
        self.names = []
        for _ in range(8):
            self.levels.append(Level(n))
        self.finest = self.levels[7]
        self.count = self.names

    def solve(self, tol):
        error = 1e30
        turn = 0
        while error > tol:  #> R105
            error = self.finest.norm()
            if self.count:
                turn += 1
        return turn


Solver(1000).solve(1e-6)

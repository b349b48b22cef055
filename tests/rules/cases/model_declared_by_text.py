# verdict: LIGHT REFACTOR
"""Classes that annotations name in strings, or as what may be None; attributes of attributes."""
from typing import Optional

import numpy as np


class Solver:
    def __init__(self, grid: "Grid"):
        self.grid = grid

    def trace(self):
        total = 0.0
        for i in range(self.grid.n):  #> R101
            total += self.grid.field[i, i]
        return total


class Either:
    def __init__(self, grid: "Grid | None" = None):
        self.grid = grid

    def trace(self):
        total = 0.0
        for i in range(self.grid.n):  #> R101
            total += self.grid.field[i, i]
        return total


class Grid:
    def __init__(self, n):
        self.n = n
        self.field = np.zeros((n, n))


class Maybe:
    def __init__(self, grid: Optional[Grid] = None):
        self.grid = grid

    def trace(self):
        total = 0.0
        for i in range(self.grid.n):  #> R101
            total += self.grid.field[i, i]
        return total


class Open:
    def __init__(self, grid: Grid | None = None):
        self.grid = grid

    def trace(self):
        total = 0.0
        for i in range(self.grid.n):  #> R101
            total += self.grid.field[i, i]
        return total

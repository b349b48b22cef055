# verdict: LIGHT REFACTOR
"""As many turns as an array has axes are a few; as many as it has rows are not."""
import numpy as np


def distance(shape, center=None):
    def squares(grid):
        total = 0
        for i in range(len(shape)):
            total += (grid[i] - center[i]) ** 2
        return total

    if center is None:
        center = np.array(list(shape)) // 2
    return np.sqrt(squares(np.indices(shape)))


def spread(x, c):
    total = 0
    for i in range(x.ndim - 1):
        total += (x[i] - c[i]) ** 2
    for i in range(len(x)):  #> R101
        x[i] = x[i] * c[i]
    return total + x


def run(n):
    field = np.zeros((400, 500))
    weights = np.ones(400)
    for step in range(n):
        field += distance(field.shape, (3, 4))
    return spread(field, weights)

# verdict: LIGHT REFACTOR
"""No NumPy in this file: what it has are arrays, because a helper of the same program makes them."""
from grid import make


def relax(n):
    x = make(n)
    for i in range(1, n - 1):  #> R101
        x[i] = x[i + 1] * 2.0
    return x


def doubled(field):
    out = field.copy()
    for i in range(field.shape[0]):  #> R101
        out[i, 0] = 2.0 * field[i, 0]
    return out

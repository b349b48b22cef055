# verdict: LIGHT REFACTOR
"""An element at a place that is drawn belongs to no loop, also in a function that is given it; one
that the loop takes does."""
from random import randrange

import numpy as np


def difference(spin, around, coupling, field):
    return 2 * spin * (field + coupling * around)


def flips(n, steps, coupling=1, field=0):
    lattice = np.ones((n, n))
    for step in range(steps):
        i = np.random.randint(n)  #> R304
        around = lattice[i, 1] + lattice[i, 2]
        change = difference(lattice[i, i], around, coupling, field)
        if change < 0:  #> R105
            lattice[i, i] = -lattice[i, i]
    return lattice


def twice(spin):
    return 2 * spin


def flips_by_hand(n, steps):
    lattice = np.ones((n, n))
    for step in range(steps):
        i = randrange(n)
        k = (i + 1) % n
        change = twice(lattice[i, k])
        if change < 0:  #> R105
            lattice[i, k] = -change
    return lattice


def corrected(x, width):
    if x > width:
        return x - width
    return x


def wrap(n, width):
    x = np.zeros(n)
    y = np.ones(n)
    for i in range(n):  #> R101
        y[i] = corrected(x[i], width)
    return y

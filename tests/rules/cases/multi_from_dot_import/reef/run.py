import numpy as np

from . import growth


def simulate(n, steps):
    cover = np.full((n, n), 0.1)
    for _ in range(steps):
        growth.step(cover)
    return cover[0, 0]

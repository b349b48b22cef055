# verdict: LIGHT REFACTOR
"""Of a parameter that one call passes and another leaves out, the default says how often a loop turns."""
from dataclasses import dataclass

import numpy as np


def relax(n=4096, steps=500):
    u = np.zeros((n, n))
    for _ in range(steps):
        np.multiply(u, 0.5, out=u)
        if u.max() > 3:  #> R105
            break
    return u


def annotated(n: int = 4096, *, steps: int = 500):
    u = np.zeros((n, n))
    for _ in range(steps):
        np.multiply(u, 0.5, out=u)
        if u.max() > 3:  #> R105
            break
    return u


def by_shape(shape=(500, 4096)):
    u = np.zeros(4096)
    for _ in range(shape[0]):
        np.multiply(u, 0.5, out=u)
        if u.max() > 3:  #> R105
            break
    return u


def few_by_default(shape=(4, 4096)):
    u = np.zeros(4096)
    for _ in range(shape[0]):
        np.multiply(u, 0.5, out=u)
        if u.max() > 3:  #> R105
            break
    return u


def strided(u: np.ndarray, step=2):
    return u[::step].sum()  #> R106


class Solver:
    def __init__(self, steps=500):
        self.steps = steps

    def run(self):
        u = np.zeros(4096)
        for _ in range(self.steps):
            np.multiply(u, 0.5, out=u)
            if u.max() > 3:  #> R105
                break
        return u


@dataclass
class Options:
    steps: int = 3


def by_options(options):
    u = np.zeros(4096)
    for _ in range(options.steps):
        np.multiply(u, 0.5, out=u)
        if u.max() > 3:  #> R105
            break
    return u


def passed_on(steps):
    u = np.zeros(4096)
    for _ in range(steps):
        np.multiply(u, 0.5, out=u)
        if u.max() > 3:  #> R105
            break
    return u


def by_way_of(steps=500):
    return passed_on(steps)


def main(settings):
    relax()
    relax(steps=3)
    annotated()
    annotated(steps=3)
    by_shape()
    by_shape(shape=(3, 4096))
    few_by_default()
    strided(np.zeros(4096))
    strided(np.zeros(4096), step=1)
    Solver().run()
    Solver(steps=3).run()
    by_options(Options())
    by_way_of()
    by_way_of(3)

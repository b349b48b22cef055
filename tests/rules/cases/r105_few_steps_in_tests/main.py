# verdict: SIGNIFICANT REFACTOR
"""Tests and examples that take few steps say nothing of how often a loop turns."""
import numpy as np


def relax(n=4096, steps=500):
    u = np.zeros((n, n))
    for _ in range(steps):
        np.multiply(u, 0.5, out=u)
        if u.max() > 3:  #> R105
            break
    return u


def required(n, steps):
    u = np.zeros((n, n))
    total = 0.0
    for _ in range(steps):
        np.multiply(u, 0.5, out=u)
        total += float(u.sum())  #> R104
    return total


def rows(u):
    total = 0.0
    for row in u:  #> R103
        total = total + (row * row).sum()
    return total


def stages(u, count):
    log = []
    for _ in range(count):
        np.multiply(u, 0.5, out=u)
        log.append(float(u.max()))
    return log


def test_beside():
    required(64, 2)


if __name__ == "__main__":
    relax()
    stages(np.zeros((4096, 4096)), 4)

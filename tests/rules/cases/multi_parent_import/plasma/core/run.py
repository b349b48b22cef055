import numpy as np

from .. import diag


def push(n, steps):
    q = np.ones(n)
    total = 0.0
    for _ in range(steps):
        q *= 0.999
        total += diag.charge(q)
        watch(q)
    diag.summary(q)
    return q, total


def watch(q):
    from . import limits

    limits.hold(q)

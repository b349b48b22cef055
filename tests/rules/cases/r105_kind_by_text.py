# verdict: LIGHT REFACTOR
"""Which of two kinds a function is asked for is no question of how often; which step it is, is."""
import numpy as np


def attraction(a, b):
    d = np.zeros(2)  #> R201
    d[:] = a - b
    if d[0] > 0:  #> R105
        d[1] = 0
    return 2 * d


def force(a, b, kind):
    if kind == "earth":
        return attraction(a, b)
    if kind in ("moon", "sun"):
        return 3 * attraction(a, b)


def report(u, step, last):
    if step == last:
        if u.sum() > 0:
            return 1
    return 0


def run(n, a, b):
    x = np.zeros((n, 2))
    for step in range(n):
        x += force(a, b, "earth") + force(a, b, "moon")
        report(x, step, n - 1)
    return x

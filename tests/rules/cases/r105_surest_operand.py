# verdict: LIGHT REFACTOR
"""A test that waits for two values is as sure as the surer of them."""
import numpy as np


def count(points, n: int):
    bounds = np.zeros(4)
    hits = 0
    for i in range(n):
        pair = points.at(i) * bounds.sum()
        if pair > bounds[0]:  #> R105
            hits += 1
    return hits

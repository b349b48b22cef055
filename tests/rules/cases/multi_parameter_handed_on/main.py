# verdict: LIGHT REFACTOR
# recipes: RR-loop
"""That x is an array shows in one file; the loop over the same x stands in another."""
import numpy as np

from parts import assign, spread


def fit(x, k):
    centres = np.zeros((k, 8))
    centres += spread(x)
    return assign(x, centres)

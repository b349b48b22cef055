# verdict: LIGHT REFACTOR
# recipes: RR-inplace
"""NumPy comes out of a module of our own."""
from backend import np


def run(n, steps):
    x = np.ones(n)
    for _ in range(steps):
        x = x * 0.5 + 1.0  #> R202
    return x

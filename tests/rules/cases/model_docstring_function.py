# verdict: READY
"""A docstring that says what a function returns does not say that the function is an array."""
import numpy as np


def integrate(f, g, y0, steps):
    """Integrates an equation.

    Args:
      f: callable(y, t) returning a numpy array of shape (d,)
      g: callable(y, t) returning a numpy array, or a list of such functions
      y0: array of shape (d,)
    """
    parts = (g,) if callable(g) else tuple(g)
    for k in range(steps):
        y0 += f(y0, k)
        for part in parts:
            y0 += part(y0, k)
    return y0

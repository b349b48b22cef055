# verdict: LIGHT REFACTOR
# recipes: RR-where
"""A lambda of two numbers, made into a function of arrays and called at once."""
import numpy as np


def limited_slope(n: int) -> np.ndarray:
    x = np.linspace(0.0, 3.0, n)
    left = np.sin(x)
    right = np.cos(x)
    return np.vectorize(lambda a, b: min(a, b) if a > 0 and b > 0 else 0.0)(left, right)  #> R102

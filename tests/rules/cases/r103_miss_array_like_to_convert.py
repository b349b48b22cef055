# verdict: READY
"""What is array_like, and is made an array item by item, may be a list as well."""
import numpy as np


def total(points, scale=1.0):
    """Sum of the points.

    Parameters
    ----------
    points : array_like
        The points.
    """
    points = np.array([scale * float(p) for p in points])
    return np.sum(points * points)

# verdict: READY
"""What is left over when all but lists have returned is a list; so is what is no ndarray but a list."""
import numpy as np


def pieces(parts):
    if type(parts) is not list:
        return parts[:, 1:] - parts[:, :-1]  #> R005
    return [part for part in parts]


def bounds(levels):
    if not isinstance(levels, (list, tuple)):
        return levels.min(), levels.max() * levels.shape[0]
    return min(levels), max(levels)


def merged(cells):
    if isinstance(cells, np.ndarray):
        return np.sum(cells, axis=0)  #> R002
    elif isinstance(cells, list):
        return [cell for cell in cells]
    return None

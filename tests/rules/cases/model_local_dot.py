# verdict: READY
"""A local function called dot, and one called where, hide NumPy's of the star import."""
from numpy import *


def dot(pairs, scale):
    return [scale * a * b for a, b in pairs]


def where(table, key):
    return table[key]


def potential(q: ndarray, r: ndarray) -> ndarray:
    return q / sqrt(r * r + 1e-6)  #> R001


def settings(table: dict) -> list:
    idx = where(table, "idx")
    return dot([(1, 2), (3, 4)], table[idx])

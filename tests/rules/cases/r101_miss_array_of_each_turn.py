# verdict: LIGHT REFACTOR
"""An array that a turn makes for itself is not walked, wherever the counter writes in it."""
import numpy as np


def all_off(n):
    return -1 * np.ones((n, n), int)  #> R201


def row_patterns(n):
    patterns = []
    for i in range(n):
        pattern = all_off(n)
        pattern[i, :] = 1
        patterns.append(pattern)
    return patterns


def diagonal(n):
    whole = all_off(n)
    for i in range(n):  #> R101
        whole[i, i] = 1
    return whole

# verdict: LIGHT REFACTOR
# gates: 4=pass
"""The target of a comprehension lives in it alone: it carries nothing from turn to turn."""
import numpy as np


def widths(edges: np.ndarray, weights: list):
    out = np.zeros(len(edges))
    for k in range(len(edges)):  #> R101
        out[k] = edges[k] * sum([x * 2.0 for x in weights])
    return out


def shares(edges: np.ndarray, weights: list):
    out = np.zeros(len(edges))
    for k in range(len(edges)):  #> R101
        parts = [x * 2.0 for x in weights]
        out[k] = edges[k] * parts[0]
    return out

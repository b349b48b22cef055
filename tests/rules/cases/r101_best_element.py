# verdict: LIGHT REFACTOR
# gates: 4=pass
# recipes: RR-loop
"""The search for the largest element; the test and the conversion of the element belong to the loop."""
import numpy as np


def loudest(x: np.ndarray):
    best = 0.0
    at = -1
    for i in range(x.size):  #> R101
        if x[i] > best:
            best = float(x[i])
            at = i
    return at, best


def level(x: np.ndarray) -> np.ndarray:
    return 20.0 * np.log10(np.abs(x) + 1e-12)  #> R001

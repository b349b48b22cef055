# verdict: LIGHT REFACTOR
# recipes: RR-stack
"""The array that grows stands one call deeper than the assigned value."""
import numpy as np


def trace(u: np.ndarray, steps: int) -> np.ndarray:
    seen = np.zeros(0)
    for _ in range(steps):
        u *= 0.99
        seen = np.append(np.append(seen, np.min(u)), np.max(u))  #> R203
    return seen

# verdict: LIGHT REFACTOR
# gaps: numpy.kron
# gates: 3=pass
"""A function that is not implemented, in the loop: from ready to light."""
import numpy as np


def walk(state: np.ndarray, a: np.ndarray, b: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        state[:] = np.kron(a, b) @ state  #> R003
    return state

# verdict: LIGHT REFACTOR
# gates: 3=pass
"""Two ids, several sites each, and REFACTOR ids besides: still light."""
import numpy as np


def thin(x: np.ndarray) -> np.ndarray:
    return x[::2]  #> R106


def thinner(x: np.ndarray) -> np.ndarray:
    return x[::4]  #> R106


def smallest(x: np.ndarray):
    return min(x)  #> R110


def march(x: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        x = x * 0.99  #> R202
    return x

# verdict: READY
"""Input checks that run once, not in a loop."""
import numpy as np


def normalise(prob: np.ndarray) -> np.ndarray:
    if np.any(prob < 0.0):
        raise ValueError("negative probability")
    assert prob.sum() > 0.0
    return prob / prob.sum()  #> R001


def divergence(p: np.ndarray, q: np.ndarray):
    return np.sum(p * np.log(p / q))  #> R002

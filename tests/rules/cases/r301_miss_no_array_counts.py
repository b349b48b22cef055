# verdict: READY
"""Host calls that are handed no array are listed, and cost nothing that a port could save."""
import numpy as np
from scipy.special import gamma
from sklearn.base import is_regressor


def run(model, x: np.ndarray, steps: int):
    for k in range(steps):
        x *= 0.5
        if is_regressor(model):  #> R301
            x += 1.0
        x *= gamma(0.5 * k + 1)  #> R301
    return x

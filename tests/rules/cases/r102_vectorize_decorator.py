# verdict: LIGHT REFACTOR
# recipes: RR-where
"""np.vectorize as a decorator, called on a whole field."""
import numpy as np


@np.vectorize  #> R102
def albedo(temp):
    if temp < 263.0:
        return 0.6
    return 0.3


def absorbed(solar: np.ndarray, temp: np.ndarray) -> np.ndarray:
    return solar * (1.0 - albedo(temp))

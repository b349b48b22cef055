# verdict: READY
"""What np.vectorize makes is never called; the plain function works on whole arrays."""
import numpy as np


def softsign(x: np.ndarray) -> np.ndarray:
    return x / (1.0 + np.abs(x))  #> R001


slow_softsign = np.vectorize(softsign)


def layer(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    return softsign(x @ w)  #> R003

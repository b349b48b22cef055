# verdict: NOT RECOMMENDED
# context: cuda=11 elements=100M gpus=1
# gates: 1=fail
"""A toolkit that is too old."""
import numpy as np


def hypotenuse(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.hypot(a, b)  #> R001

# verdict: NOT RECOMMENDED
# context: os=macos elements=100M gpus=1
# gates: 1=fail
"""The right code on the wrong system."""
import numpy as np


def blend(a: np.ndarray, b: np.ndarray, t: float) -> np.ndarray:
    return (1.0 - t) * a + t * b  #> R001

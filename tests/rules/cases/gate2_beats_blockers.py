# verdict: NOT RECOMMENDED
# context: elements=1000 gpus=1
# gates: 2=fail
"""A failed gate comes before any count of blockers."""
import numpy as np


def double(a: np.ndarray) -> np.ndarray:
    out = np.empty_like(a)
    for i in range(len(a)):  #> R101
        out[i] = 2.0 * a[i]
    return out

# verdict: NOT RECOMMENDED
# context: elements=2M gpus=64
# gates: 1=pass 2=fail
# composite: no go
"""Two million elements over 64 GPUs are 31,250 for each: below the smallest chunk."""
import numpy as np


def energy(v: np.ndarray):
    return 0.5 * np.sum(v * v)  #> R002

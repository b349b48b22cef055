# verdict: READY
# context: gpu_model=H100 cuda=13 os=linux elements=500M gpus=4
# gates: 1=pass 2=pass 3=pass 4=pass
# composite: strong go
"""Everything fits: hardware, size, shape, pattern."""
import numpy as np


def reduce_all(a: np.ndarray, b: np.ndarray):
    c = np.exp(-a) * np.sqrt(b)  #> R001
    return c.sum(), c.max()  #> R002

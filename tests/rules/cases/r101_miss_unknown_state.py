# verdict: READY
"""State in objects of a library that is not known makes a time loop, too."""
import numpy as np
from lib import cos, ones, sin


def pulse(x: np.ndarray, g: np.ndarray, nt):
    a = ones(x.shape[0])
    b = ones(x.shape[0])
    for m in range(nt):
        om = x @ g[m, :]
        at = cos(om) * a - sin(om) * b
        bt = sin(om) * a + cos(om) * b
        a = at
        b = bt
    return a, b

# verdict: LIGHT REFACTOR
"""Arrays are handed over in a list; an unknown argument of a package of arrays is one."""
import numpy as np
from scipy.linalg import block_diag
from scipy.ndimage import gaussian_filter


def run(x: np.ndarray, steps: int):
    for k in range(steps):
        x += block_diag([x, x])[0, 0]  #> R301
    return x


def filtered(frames, steps: int):
    out = []
    for k in range(steps):
        out.append(gaussian_filter(frames, k))  #> R301
    return out

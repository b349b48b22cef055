# verdict: READY
"""A closed form for 2 x 2 matrices spread over the whole image: elementwise, no eigenproblem."""
import numpy as np


def eig(xx: np.ndarray, xy: np.ndarray, yy: np.ndarray):
    half = 0.5 * (xx + yy)
    root = np.sqrt(0.25 * (xx - yy) ** 2 + xy * xy)  #> R001
    return half + root, half - root


def corner_score(gx: np.ndarray, gy: np.ndarray) -> np.ndarray:
    big, small = eig(gx * gx, gx * gy, gy * gy)
    return np.minimum(big, small)

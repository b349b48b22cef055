# verdict: LIGHT REFACTOR
# recipes: RR-mask
"""Parameters that are only ever indexed, by the results of three ways to find a mask's places."""
import numpy as np


def bright(flux, level: np.ndarray):
    return flux[np.nonzero(level > 1.0)]  #> R204


def flagged(flux, flag: np.ndarray):
    bad = np.flatnonzero(flag)  #> R204
    flux[bad] = 0.0


def inside(weights, r: np.ndarray):
    near = np.where(r < 1.0)  #> R204
    return np.sum(weights[near])

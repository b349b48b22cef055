import numpy as np

from . import light, limits


def step(cover):
    rate = np.zeros_like(cover)  #> R201
    np.multiply(cover, light.share(cover), out=rate)  #> R006
    cover += 0.01 * rate
    limits.clip(cover)

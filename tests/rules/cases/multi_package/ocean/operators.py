import numpy as np


def divergence(h, out):
    flux = np.zeros_like(h)  #> R201
    np.multiply(h, h, out=flux)  #> R006
    out[1:-1, :] = 0.5 * (flux[2:, :] - flux[:-2, :])  #> R005

# verdict: LIGHT REFACTOR
"""Compiled packages that compute on the host."""
import bottleneck as bn
import numpy as np
from pyfftw.interfaces.scipy_fftpack import fftn


def run(steps, n):
    u = np.zeros((n, n))
    for i in range(steps):
        h = fftn(u)  #> R301
        u *= 0.5
        m = bn.nanmax(u)  #> R301
    return h, m

# verdict: READY
"""Transforms under names of their own: CT filtering of all projections at once."""
from numpy import fft as ft
from numpy import ndarray, real
from numpy.fft import fft2, ifft2


def filter_projections(sino: ndarray, ramp: ndarray) -> ndarray:
    spec = ft.fft(sino, axis=1)  #> R303
    spec *= ramp
    return real(ft.ifft(spec, axis=1))  #> R303


def low_pass(image: ndarray, mask: ndarray) -> ndarray:
    return real(ifft2(fft2(image) * mask))  #> R303

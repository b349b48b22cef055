"""Masks for places: of other lengths, in tuples, of numbers."""
import numpy as np


def plain(n: int):
    a = np.linspace(-1.0, 1.0, 50)
    a[np.where(a < 0)] = 0.0  #> R204 safe
    b = a[np.nonzero(a > 0.5)] * 2  #> R204 safe
    c = a[np.where(
        a > 0.9  # the largest
    )]  #> R204 safe
    return a, b, c


def shorter():
    a = np.arange(50.0)
    m = np.arange(20) > 5
    return a[np.where(m)]  #> R204 look


def numbers():
    a = np.arange(50.0)
    k = np.arange(50) % 3
    return a[np.where(k)]  #> R204 none


def main():
    return [*plain(3), shorter(), numbers()]

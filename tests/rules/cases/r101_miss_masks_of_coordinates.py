# verdict: LIGHT REFACTOR
"""Masks made of coordinates are whole arrays, also where one is handed in; a counter is none."""
import numpy as np


def profile(image, bins, mask=None):
    y, x = np.indices(image.shape)
    r = np.hypot(x - 3, y - 4)
    if mask is None:
        mask = np.ones(image.shape, dtype=bool)
    which = np.digitize(r, bins)
    means = [image[mask * (which == b)].mean() for b in range(1, 200)]
    rows = np.zeros(image.shape)
    for b in range(image.shape[0]):  #> R101
        rows[b] = image[b] * 2
    return means, rows


def sector(image, bins, lo, hi):
    y, x = np.mgrid[0:512, 0:512]
    angle = np.arctan2(x, y)
    return profile(image, bins, mask=(angle > lo % 360) * (angle < hi % 360))

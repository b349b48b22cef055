# verdict: READY
"""Loops over the taps of a filter: each turn moves a slice that is nearly the whole image."""
import numpy as np


def unfold(img: np.ndarray, fh, fw):
    n, c, h, w = img.shape
    oh, ow = h - fh + 1, w - fw + 1
    col = np.zeros((n, c, fh, fw, oh, ow))
    for y in range(fh):
        for x in range(fw):
            col[:, :, y, x, :, :] = img[:, :, y:y + oh, x:x + ow]
    return col


def fold(col: np.ndarray, img: np.ndarray, fh, fw):
    h, w = img.shape
    oh = h - fh + 1
    ow = w - fw + 1
    for y in range(fh):
        for x in range(fw):
            img[y:y + oh, x:x + ow] += col[y, x]  #> R006
    return img


def unfold_far(img: np.ndarray, fh, far, pad):
    n, h, w = img.shape
    oh = (h + 2 * pad - fh) // far + 1
    col = np.zeros((n, fh, oh, w))
    for y in range(fh):
        end = y + oh
        col[:, y, :, :] = img[:, y:end, :]
    return col

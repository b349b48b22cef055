# verdict: LIGHT REFACTOR
"""An index that a function makes of slices shifts a whole array; one that it makes a number walks."""
import numpy as np


def every(x, start, factor):
    view = [slice(None) for _ in range(x.ndim)]
    view[0] = slice(start, None, factor)
    return view


def at(start):
    return start + 1


def downsample(x, factor):
    x = x[2:, 2:]
    parts = [x[every(x, i, factor)] for i in range(factor)]
    for i in range(x.shape[0] - 1):  #> R101
        k = i + 1
        x[k, :] = x[k, :] * 2
    return np.concatenate(parts), at(3)

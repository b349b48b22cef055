# verdict: READY
"""Delayed copies of a series, nearly as long as itself, whether it is an array or a list."""
import numpy as np


def embed(series, dimension, delay):
    length = len(series)
    embedded = np.empty((dimension, length - (dimension - 1) * delay))
    for i in range(dimension):
        embedded[i] = series[i * delay:i * delay + embedded.shape[1]]
    return embedded.T


def space(series, lag, dimension):
    n = len(series)
    pattern = np.zeros((n - lag * (dimension - 1), dimension))
    for i in range(dimension):
        pattern[:, i] = series[i * lag:i * lag + n - lag * (dimension - 1)]
    return pattern


def spaces(series, dimension):
    x = np.array(series)
    return embed(x, dimension, 1), space(x, 1, dimension)

# verdict: LIGHT REFACTOR
# recipes: RR-mask
"""The only use of the parameter is an index that is itself made of arrays."""
import numpy as np


def class_mean(samples, labels: np.ndarray, c: int):
    members = samples[np.where(labels == c)]  #> R204
    return np.mean(members, axis=0)


def class_spread(samples, labels: np.ndarray, c: int):
    return samples[np.where(labels == c)].var()  #> R204

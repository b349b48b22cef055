import numpy as np


def spread(x):
    return np.max(x[:, :8], axis=0) - np.min(x[:, :8], axis=0)


def assign(x, centres):
    found = []
    for point in x:  #> R103
        found.append(np.argmin(np.sum((centres - point) ** 2, axis=1)))
    return found

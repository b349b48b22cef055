# verdict: LIGHT REFACTOR
"""Arrays that come in a tuple on request; arange of a default is no known small number of turns."""
import numpy as np


def weighted(x):
    x = np.asarray(x)
    values, counts = np.unique(x, return_counts=True)
    share = counts / len(x)
    s = 0.0
    for v, q in zip(values, share):  #> R103
        s += q * v
    return s


def learn(x, turns=10):
    w = np.zeros(x.shape)
    for it in np.arange(turns):  #> R103
        t = np.zeros(x.shape)  #> R201
        t += x
        w += t
    return w

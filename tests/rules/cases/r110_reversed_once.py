# verdict: LIGHT REFACTOR
"""reversed() over an array is R110, and not R103 as well."""
import numpy as np


def back(n):
    js = np.arange(n)
    t = 0.0
    for j in reversed(js):  #> R110
        t = t + 1.0
    return t

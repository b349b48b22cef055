# verdict: LIGHT REFACTOR
"""A short array is as short when it is reversed; a long one is as long."""
import numpy as np


def run(n):
    temperatures = np.arange(2.6, 2.91, 0.2)
    many = np.arange(0.0, 20.0, 0.2)
    field = np.zeros(n)
    for t in temperatures[::-1]:  #> R106
        field += t
    for t in many[::-1]:  #> R103 R106
        field += t
    return field

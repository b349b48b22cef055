# verdict: LIGHT REFACTOR
"""Python 2: print statements and xrange; the loop is seen all the same."""
import numpy as np


def damped(n):
    x = np.zeros(n)
    y = np.ones(n)
    for i in xrange(n):  #> R101
        x[i] = y[i] * 0.5
    return x


print "n:", 100

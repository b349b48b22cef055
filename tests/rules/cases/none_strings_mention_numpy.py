# verdict: none
"""NumPy is only mentioned in text and comments."""

TEMPLATE = """
import numpy as np
x = np.zeros(10)
for i in range(10):
    x[i] = x[i] * 2
"""


def render(name):
    # numpy would be quicker here
    values = [0.0] * 10
    for i in range(len(values)):
        values[i] = float(i) * 2.0
    return name + TEMPLATE, values

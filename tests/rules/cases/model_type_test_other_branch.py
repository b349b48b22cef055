# verdict: LIGHT REFACTOR
"""A test for lists leaves the array to the other branch, and to what stands after a return."""
import numpy as np


def totals(table):
    if isinstance(table, list):
        return [sum(row) for row in table]
    print_width = table.shape[1]
    return [np.sum(row) / print_width for row in table]  #> R103


def smallest(depth):
    if type(depth) == tuple:
        lowest = min(depth)
    else:
        lowest = min(depth.ravel())  #> R110
    return lowest

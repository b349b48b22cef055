# verdict: LIGHT REFACTOR
"""What hot callers hand over is the same each time: so is the allocation."""
import numpy as np


def buffer(count):
    scratch = np.zeros(count)  #> R201
    scratch += 1.0
    return float(scratch.sum())  #> R104


def drive(n: int, steps: int):
    total = 0.0
    for step in range(steps):
        total += buffer(n)
    return total

# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""A timing decorator of our own stands before the function whose loop waits in every step."""
import functools
import time

import numpy as np


def timed(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        result = func(*args, **kwargs)
        print(func.__name__, time.perf_counter() - start)
        return result

    return wrapper


@timed
def melt(t: np.ndarray, q: np.ndarray, steps: int) -> list:
    water = []
    for _ in range(steps):
        t += 0.1 * q
        water.append(float(np.sum(t > 273.15)))  #> R104
    return water

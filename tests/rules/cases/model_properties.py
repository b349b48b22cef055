# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""A property that computes from arrays, read in the loop."""
import numpy as np


class Gas:
    def __init__(self, n: int):
        self.v = np.ones((n, 3))
        self.mass = 2.0

    @property
    def temperature(self):
        return self.mass * np.mean(self.v * self.v) / 3.0

    @property
    def count(self):
        return self.v.shape[0]


def thermostat(n: int, steps: int) -> list:
    gas = Gas(n)
    log = []
    for _ in range(steps):
        gas.v *= 0.999
        log.append(float(gas.temperature))  #> R104
        log.append(float(gas.count))
    return log

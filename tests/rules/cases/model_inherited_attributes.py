# verdict: LIGHT REFACTOR
# recipes: RR-inplace
"""The arrays are made in a base class and updated in a derived one."""
import numpy as np


class Base:
    def __init__(self, n: int):
        self.x = np.zeros(n)
        self.v = np.ones(n)


class Oscillator(Base):
    def kick(self, dt: float) -> None:
        self.v -= dt * self.x

    def run(self, dt: float, steps: int) -> None:
        for _ in range(steps):
            self.kick(dt)
            self.x = self.x + dt * self.v  #> R202

# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""A class keeps its array module and its arrays in attributes."""
import numpy as np


class Field:
    def __init__(self, n: int, xp=np):
        self.xp = xp
        self.u = xp.zeros(n)
        self.v = xp.ones(n)

    def step(self) -> None:
        self.u += 0.1 * self.v
        self.v -= 0.1 * self.xp.sin(self.u)

    def run(self, steps: int) -> list:
        log = []
        for _ in range(steps):
            self.step()
            log.append(float(self.u.sum()))  #> R104
        return log

# verdict: LIGHT REFACTOR
# recipes: RR-converge RR-alloc
"""What a method stores another one tests; set-up happens in a third."""
import numpy as np


class Lattice:
    def __init__(self, n: int):
        self.n = n
        self.history = []
        self._build()

    def _build(self) -> None:
        self.f = np.ones((9, self.n, self.n))
        self.rho = self.f.sum(axis=0)
        self.mass = np.sum(self.rho)

    def collide(self) -> None:
        feq = np.empty_like(self.f)  #> R201
        feq[:] = self.rho / 9.0
        self.f += 0.6 * (feq - self.f)
        self.rho[:] = self.f.sum(axis=0)
        self.mass = np.sum(self.rho)

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.collide()
            if self.mass < 1.0:  #> R105
                break
            if self.n > 4096:
                self.history.append(self.n)

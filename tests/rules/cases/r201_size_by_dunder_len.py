# verdict: LIGHT REFACTOR
# recipes: RR-alloc
"""The size of the scratch array is len(self), and that is the length of an array which never changes."""
import numpy as np


class Chain:
    def __init__(self, mass: np.ndarray):
        self.mass = mass
        self.x = np.linspace(0.0, 1.0, mass.shape[0])

    def __len__(self):
        return self.x.shape[0]

    def step(self, dt):
        n = len(self)
        force = np.zeros(n)  #> R201
        stretch = self.x[1:] - self.x[:-1]  #> R005
        force[:-1] += stretch
        force[1:] -= stretch
        self.x += dt * force / self.mass

    def run(self, steps, dt):
        for _ in range(steps):
            self.step(dt)

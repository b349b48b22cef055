# SPDX-License-Identifier: Apache-2.0
"""A class and helpers: arrays in attributes and parameters, loops in one function, reads in another."""

import numpy as np

COUNT, STEPS = 20, 24


class Particles:
    def __init__(self, count):
        self.place = np.linspace(0.0, 1.0, count)
        self.speed = np.zeros(count)
        self.count = count

    def force(self, i):
        total = np.zeros(())
        for j in range(self.count):
            total = total + (self.place[j] - self.place[i])
        return total

    def step(self, dt):
        for i in range(self.count):
            self.speed[i] = self.speed[i] + dt * self.force(i)
        self.place += dt * self.speed

    def drift(self, dt):
        self.place += dt * self.speed

    def energy(self):
        return 0.5 * float((self.speed**2).sum())


def at(values, i):
    return values[i]  #> helper


def backwards(values):
    total = np.zeros(())
    for i in range(values.shape[0]):
        total = total + at(values, values.shape[0] - 1 - i)
    return total


particles = Particles(COUNT)
particles.step(0.01)
log = []
for _ in range(STEPS):
    particles.drift(0.01)
    log.append(particles.energy())
print(log[-1], backwards(particles.place))

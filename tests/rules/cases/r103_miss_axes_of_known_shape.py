# verdict: LIGHT REFACTOR
"""A field with one component for each axis of a known shape, put together in the usual ways."""
import numpy as np


class Fluid:
    def __init__(self, shape):
        self.velocity = np.zeros((len(shape), *shape))
        self.force = np.zeros((len(shape),) + shape)

    def step(self):
        gradients = [np.gradient(component) for component in self.velocity]
        return gradients, [component.sum() for component in self.force]


fluid = Fluid((500, 500))
inflow = np.zeros_like(fluid.velocity)
for frame in range(200):
    fluid.velocity += inflow
    fluid.step()
    for row in inflow[0]:  #> R103
        row += 1

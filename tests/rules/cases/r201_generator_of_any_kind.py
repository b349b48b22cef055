# verdict: LIGHT REFACTOR
"""A generator that is given, made of a seed, or the one behind numpy.random."""
import numpy as np


class Network:
    def __init__(self, n, random_state=None):
        self.n = n
        if isinstance(random_state, np.random.RandomState):
            self.random = random_state
        elif random_state:
            self.random = np.random.RandomState(random_state)  #> R304
        else:
            self.random = np.random.mtrand._rand

    def step(self, state):
        return np.tanh(state) + 0.1 * (self.random.rand(self.n) - 0.5)  #> R201 R304

    def run(self, state: np.ndarray, steps):
        for _ in range(steps):
            state = self.step(state)
        return state

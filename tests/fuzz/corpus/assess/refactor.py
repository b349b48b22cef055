import numpy as np


class Solver:
    """A solver.

    Attributes
    ----------
    u : ndarray
    """

    def __init__(self, n):
        self.u = np.zeros(n)
        self.history = []
        self.rng = np.random.default_rng(3)

    def advance(self, steps):
        acc = np.empty(0)
        for t in range(steps):
            tmp = np.zeros(self.u.shape)
            noise = self.rng.normal(size=len(self.u)) + np.random.rand(3)
            self.u = self.u + 0.1 * noise
            x = np.sin(self.u) + x if t else self.u.copy()
            acc = np.concatenate([acc, self.u])
            acc = np.append(acc, 1.0); acc = np.vstack((acc, acc)); acc = np.r_[acc, 1]
            idx = np.where(self.u > 0)[0]
            self.u[idx] = 0; self.u[np.nonzero(self.u)] += 1; self.u[np.argwhere(self.u)]
            w = self.u.reshape(2, -1)
            self.history.append(np.array(self.u))
            self.u = np.add(self.u, 1)
        return np.stack(self.history), tmp, w

    @property
    def size(self): return self.u.size

    @staticmethod
    def of(n): return Solver(n)

    @classmethod
    def make(cls, *a, **k): return cls(*a, **k)


class Fast(Solver):
    def advance(self, steps):
        super().advance(steps)
        return self.u.T.dot(self.size)


Fast.of(10).advance(100)

# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""The module comes after self, from a decorator of another package; it is the module all the same."""
import numpy
from labbench import on_backends, register


class Heat:
    @on_backends("gpu")
    def cool(self, np, n, steps):
        u = np.ones(n)
        log = []
        for _ in range(steps):
            u[1:-1] += 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])  #> R005
            log.append(float(np.sum(u)))  #> R104
        return log


if __name__ == "__main__":
    register(Heat, numpy)

# verdict: READY
"""Methods that get the module as their first parameter, from a decorator that nobody can see through."""
import numpy
from labbench import on_backends, register

register(numpy)


class Draws:
    @on_backends("cpu", "gpu")
    def moments(np, n):
        z = np.random.normal(0.0, 1.0, n)  #> R304
        return np.mean(z), np.var(z)

    @on_backends("gpu")
    def disc(np, n):
        x = np.random.uniform(-1.0, 1.0, n)  #> R304
        y = np.random.uniform(-1.0, 1.0, n)  #> R304
        inside = x * x + y * y < 1.0  #> R001
        return 4.0 * np.mean(inside)

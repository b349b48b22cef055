# verdict: READY
# gates: 4=pass
"""Random numbers through the module, a name and a generator's method: notes only."""
import numpy as np
from numpy.random import rand


def pi_estimate(n: int):
    x = rand(n)  #> R304
    y = np.random.uniform(0.0, 1.0, n)  #> R304
    inside = x * x + y * y < 1.0  #> R001
    return 4.0 * np.mean(inside)


def option(n: int, s0: float, k: float, rng: np.random.Generator):
    z = rng.normal(size=n)  #> R304
    payoff = np.maximum(s0 * np.exp(0.2 * z - 0.02) - k, 0.0)
    return payoff.mean()  #> R002

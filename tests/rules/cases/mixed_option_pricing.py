# verdict: LIGHT REFACTOR
# recipes: RR-inplace
"""Monte Carlo with antithetic paths: the spot is bound anew, random numbers are noted."""
import numpy as np


def asian(n: int, steps: int, s0: float, r: float, sigma: float, rng: np.random.Generator):
    s = np.full(n, s0)
    acc = np.zeros(n)
    z = rng.normal(size=(n,))  #> R304
    for k in range(steps):
        s = s * np.exp((r - 0.5 * sigma**2) / steps + sigma * z / steps)  #> R202
        acc += s  #> R006
    payoff = np.maximum(acc / steps - s0, 0.0)
    return np.exp(-r) * payoff.mean()  #> R002

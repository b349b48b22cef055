# verdict: LIGHT REFACTOR
# recipes: RR-inplace
"""The updated array is bound anew each step: by operators, by ufuncs, by calls of np.add."""
import numpy as np


def integrate(n: int, steps: int, dt: float):
    x = np.linspace(-1.0, 1.0, n)
    v = np.zeros(n)
    a = np.full(n, 0.5)
    for _ in range(steps):
        v = v - dt * x  #> R202
        x = x + dt * v  #> R202
        a = np.multiply(a, 0.99)  #> R202
        v = np.tanh(v) + dt  #> R202
    return x, v, a

# verdict: NOT RECOMMENDED
# gates: 4=fail
"""A leaky integrator carries its state in a Python name; every output needs the one before."""
import numpy as np


def membrane(current: np.ndarray, leak: float, v_rest: float) -> np.ndarray:
    trace = np.zeros(current.size)
    v = v_rest
    for t in range(current.size):
        v = v + leak * (v_rest - v) + current[t]
        trace[t] = v
    return trace


def adaptive(current: np.ndarray, tau: float) -> np.ndarray:
    w = np.zeros_like(current)
    for t in range(1, current.size):
        w[t] = w[t - 1] + (current[t] - w[t - 1] * w[t - 1]) / tau
    return w

# verdict: READY
"""An array on the target that is made of deferred scalars is no conversion to the host: worth a look, not counted."""
import numpy as np


def train(x: np.ndarray, y: np.ndarray, w: np.ndarray, epochs: int) -> list:
    curve = []
    for _ in range(epochs):
        err = x @ w - y  #> R003
        w -= 1e-3 * (x.T @ err)
        curve.append(np.array([np.mean(err * err), np.abs(err).max()]))
    return curve


def grid(limit, n):
    t, dt = np.linspace(0, limit, n + 1, retstep=True)
    out = []
    for k in range(n):
        x = np.array([(2 * i - k) * dt for i in range(k + 1)])
        out.append(np.exp(x).sum())
    return out

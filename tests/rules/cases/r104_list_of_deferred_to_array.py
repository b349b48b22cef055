# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""Deferred scalars are put into an array anew in each epoch: each one is fetched."""
import numpy as np


def train(x: np.ndarray, y: np.ndarray, w: np.ndarray, epochs: int) -> list:
    curve = []
    for _ in range(epochs):
        err = x @ w - y  #> R003
        w -= 1e-3 * (x.T @ err)
        curve.append(np.array([np.mean(err * err), np.abs(err).max()]))  #> R104
    return curve

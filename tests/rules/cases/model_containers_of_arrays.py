# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""Layers are a list of arrays and parameters a dict of arrays: the loops over them are no array loops."""
import numpy as np


def forward(x: np.ndarray, weights: list, biases: dict) -> np.ndarray:
    for w in weights:
        x = np.maximum(x @ w, 0.0)  #> R003
    return x + biases["out"]


def train(x: np.ndarray, sizes: tuple, epochs: int) -> list:
    params = {"out": np.zeros(sizes[-1])}
    weights = [np.ones((a, b)) for a, b in zip(sizes[:-1], sizes[1:])]
    losses = []
    for _ in range(epochs):
        y = forward(x, weights, params)
        losses.append(float(np.mean(y * y)))  #> R104
        params["out"] -= 0.01 * y.mean(axis=0)
    return losses

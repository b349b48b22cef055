# verdict: READY
"""Lambdas over arrays, a default that is a number, a loop whose length is no literal but has no sync."""
import numpy as np

ACTIVATIONS = {"relu": lambda x: np.maximum(x, 0.0), "tanh": lambda x: np.tanh(x)}


def layer(x: np.ndarray, w: np.ndarray, kind: str = "relu") -> np.ndarray:
    act = ACTIVATIONS[kind]
    return act(x @ w)  #> R003


def iterate(x: np.ndarray, w: np.ndarray, depth: int = 64) -> np.ndarray:
    for _ in range(depth):
        x[:] = layer(x, w)
    return x

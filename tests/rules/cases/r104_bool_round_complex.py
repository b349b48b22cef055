# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""The rarer conversions, in a loop over epochs; none of them is tested there."""
import numpy as np


def fit(x: np.ndarray, y: np.ndarray, w: np.ndarray, epochs: int) -> list:
    rows = []
    for epoch in range(epochs):
        err = x @ w - y  #> R003
        w -= 1e-3 * (x.T @ err)
        finite = bool(np.isfinite(w).all())  #> R104
        mean = round(np.mean(err), 4)  #> R104
        root = complex(np.sum(err))  #> R104
        rows.append((round(epoch * 0.5, 1), finite, mean, root))
    return rows

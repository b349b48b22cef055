# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""A progress bar around range is range: the loss is fetched each epoch, the accuracy every tenth."""
import numpy as np
from tqdm import tqdm


def fit(x: np.ndarray, y: np.ndarray, w: np.ndarray, epochs: int):
    losses, accuracy = [], []
    for epoch in tqdm(range(epochs)):
        p = 1.0 / (1.0 + np.exp(-(x @ w)))  #> R003
        w -= 0.1 * (x.T @ (p - y))
        losses.append(float(np.mean((p - y) ** 2)))  #> R104
        if epoch % 10 == 0:
            accuracy.append(float(np.mean((p > 0.5) == y)))
    return losses, accuracy

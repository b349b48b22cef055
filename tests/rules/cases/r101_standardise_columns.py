# verdict: LIGHT REFACTOR
"""Columns of a design matrix are scaled one by one, independently."""
import numpy as np


def standardise(X: np.ndarray) -> np.ndarray:
    for j in range(X.shape[1]):  #> R101
        X[:, j] = (X[:, j] - np.mean(X[:, j])) / np.sqrt(np.var(X[:, j]))
    return X


def ridge_gradient(X: np.ndarray, y: np.ndarray, w: np.ndarray, lam: float) -> np.ndarray:
    return X.T @ (X @ w - y) + lam * w  #> R003

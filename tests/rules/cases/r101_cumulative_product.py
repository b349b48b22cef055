# verdict: LIGHT REFACTOR
# gates: 4=pass
# recipes: RR-loop
"""Growth of a portfolio: each value is the one before times a factor that does not read the output: cumprod."""
import numpy as np


def growth(returns: np.ndarray) -> np.ndarray:
    value = np.ones_like(returns)
    for t in range(1, len(returns)):  #> R101
        value[t] = value[t - 1] * (1.0 + returns[t])
    return value


def risk(returns: np.ndarray, weights: np.ndarray):
    centred = returns - returns.mean(axis=0)  #> R002
    cov = centred.T @ centred / (returns.shape[0] - 1)  #> R003
    total = weights @ cov @ weights
    share = weights * (cov @ weights) / total
    return np.sqrt(total), share

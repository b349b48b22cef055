# verdict: READY
# gates: 4=pass
"""One exponential average among dense work: a recurrence, but it does not dominate."""
import numpy as np


def ewma(x: np.ndarray, a: float) -> np.ndarray:
    y = np.empty_like(x)
    y[0] = x[0]
    for t in range(1, x.shape[0]):
        y[t] = a * x[t] + (1.0 - a) * y[t - 1]
    return y


def scores(X: np.ndarray, w: np.ndarray) -> np.ndarray:
    centred = X - X.mean(axis=0)  #> R002
    scale = np.sqrt(np.mean(centred * centred, axis=0))
    z = centred / scale
    z = np.clip(z, -4.0, 4.0)
    raw = z @ w  #> R003
    odds = np.exp(-raw)
    prob = 1.0 / (1.0 + odds)
    entropy = -prob * np.log(prob)
    weight = np.where(prob > 0.5, entropy, 0.0)  #> R004
    weight /= weight.sum()
    return weight * raw

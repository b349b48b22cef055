# verdict: NOT RECOMMENDED
# gates: 4=fail
"""A running maximum has no NumPy form on the target: the drawdown of a price is a recurrence."""
import numpy as np


def drawdown(price: np.ndarray) -> np.ndarray:
    peak = np.empty_like(price)
    loss = np.empty_like(price)
    peak[0] = price[0]
    loss[0] = 0.0
    for t in range(1, price.size):
        peak[t] = np.maximum(peak[t - 1], price[t])
        loss[t] = (peak[t] - price[t]) / peak[t]
    return loss

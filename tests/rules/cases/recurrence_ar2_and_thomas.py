# verdict: NOT RECOMMENDED
# gates: 4=fail
"""An autoregressive series: element t from t-1 and t-2 of the same output."""
import numpy as np


def ar2(noise: np.ndarray, phi1: float, phi2: float) -> np.ndarray:
    y = np.zeros_like(noise)
    for t in range(2, noise.size):
        y[t] = phi1 * y[t - 1] + phi2 * y[t - 2] + noise[t]
    return y


def thomas_forward(c: np.ndarray, d: np.ndarray, a: float, b: float):
    cp = np.zeros_like(c)
    dp = np.zeros_like(d)
    for i in range(1, c.size):
        m = b - a * cp[i - 1]
        cp[i] = c[i] / m
        dp[i] = (d[i] - a * dp[i - 1]) / m
    return cp, dp

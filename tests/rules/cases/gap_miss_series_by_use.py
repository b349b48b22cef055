# verdict: READY
# unchecked: R301
"""No annotation, but the module imports pandas and the parameter does what only a Series does."""
import numpy as np
import pandas as pd


def sharpe(returns, days=252):
    frame = returns.dropna()
    return np.sqrt(days) * frame.mean() / returns.std()


def load(path: str):
    return pd.read_csv(path)["close"].pct_change()


def paths(drift: np.ndarray, noise: np.ndarray) -> np.ndarray:
    growth = np.exp(drift + 0.2 * noise)
    growth *= 1.0 - 0.01 * np.tanh(noise)
    total = np.cumprod(growth, axis=1)
    total /= np.max(total, axis=1)[:, None]
    total -= np.mean(total)
    return np.where(total > 0.0, total, 0.0)  #> R004

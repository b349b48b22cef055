# verdict: READY
# unchecked: R301
"""Methods of a Series are pandas' own, though arrays have some of the same name and cannot do them all."""
import numpy as np
import pandas as pd


def volatility(prices: pd.Series) -> float:
    returns = prices.pct_change().dropna()
    return returns.std()


def spread(s: pd.Series) -> float:
    return s.std() / s.mean()


def weights(cov: np.ndarray, mu: np.ndarray) -> np.ndarray:
    scale = np.sqrt(np.mean(cov * cov))
    ridge = cov / scale + 0.01
    risk = ridge @ mu  #> R003
    raw = np.exp(-risk * risk)
    raw *= np.abs(mu)
    raw /= np.sum(raw)
    raw = np.clip(raw, 0.0, 0.1)
    return raw / np.sum(raw)

# verdict: READY
# unchecked: R301
"""A data frame is read once and its columns become arrays; the rest is dense."""
import numpy as np
import pandas as pd


def load(path: str):
    df = pd.read_csv(path)
    return df["t"].to_numpy(), df["flux"].to_numpy()


def periodogram(path: str, freq: np.ndarray) -> np.ndarray:
    t, flux = load(path)
    y = np.asarray(flux) - np.mean(np.asarray(flux))
    arg = 2.0 * np.pi * freq[:, None] * np.asarray(t)[None, :]
    c = np.sum(y * np.cos(arg), axis=1)  #> R002
    s = np.sum(y * np.sin(arg), axis=1)  #> R002
    power = c * c + s * s  #> R001
    power /= power.sum()
    weight = np.exp(-freq)
    weight *= power
    weight /= np.sqrt(np.sum(weight * weight))
    return weight

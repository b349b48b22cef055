# verdict: READY
"""Bin edges and results are touched by single elements; the work is on the whole catalogue."""
import numpy as np


def binned_mean(mag: np.ndarray, lo: np.ndarray, hi: np.ndarray) -> np.ndarray:
    out = np.zeros(lo.size)
    for b in range(lo.size):
        out[b] = mag[(mag >= lo[b]) & (mag < hi[b])].mean()  #> R007
    return out


def colour(g: np.ndarray, r: np.ndarray) -> np.ndarray:
    return np.where(np.isfinite(g - r), g - r, 0.0)  #> R004

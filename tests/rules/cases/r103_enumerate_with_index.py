# verdict: LIGHT REFACTOR
"""A loop over an array that also writes by its counter is one finding, not two."""
import numpy as np


def clip_spikes(trace: np.ndarray, limit: float) -> np.ndarray:
    out = np.empty_like(trace)
    for i, v in enumerate(trace):  #> R103
        out[i] = v / (1.0 + np.abs(v) / limit)
    return out


def amplitude(trace: np.ndarray):
    return trace.max() - trace.min()  #> R002

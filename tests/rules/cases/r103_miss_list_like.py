# verdict: READY
"""The docstring says list-like; that np.size counts the items makes no array of it."""
import numpy as np


def responses(zs, gain):
    """Evaluates the response at some points.

    Parameters
    ----------
    zs : list-like
        The points.
    gain : float
        The gain at zero.
    """
    n = np.size(zs, 0)
    out = []
    for z in zs:
        out.append(gain / (1.0 + z * z) / n)
    return out


def spectrum(f: np.ndarray, gain: float) -> np.ndarray:
    return gain / (1.0 + f * f)  #> R001

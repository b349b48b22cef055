# verdict: READY
"""Builtins over lists and generators, over several scalars, abs and len of arrays."""
import numpy as np


def courant(speed: np.ndarray, dx: float, dy: float, widths: list):
    h = min(dx, dy)
    narrow = min(widths)
    wide = max(w * 2.0 for w in widths)
    n = len(speed)
    return abs(speed) * narrow / (h * wide * n)  #> R001


def order(widths: list) -> list:
    return sorted(set(widths), reverse=True)

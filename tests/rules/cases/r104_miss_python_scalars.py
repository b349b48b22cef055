# verdict: READY
"""Conversions of numbers that are on the host already: shapes, counters, text, settings."""
import math

import numpy as np


def diffuse(c: np.ndarray, settings: dict, steps: int) -> np.ndarray:
    dx = float(settings["dx"])
    for k in range(steps):
        t = float(k) * dx
        n = int(c.shape[0] / 2)
        rate = math.exp(-t) * round(dx, 3) / n
        c *= 1.0 - rate
    return c


def grid_size(parts: tuple) -> tuple:
    return int(parts[0]), int(parts[1])

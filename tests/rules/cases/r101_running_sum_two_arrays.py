# verdict: LIGHT REFACTOR
# gates: 4=pass
"""A path integral written as prev + g(i), where g reads two other arrays: a scan, so an element loop."""
import numpy as np


def path_length(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    s = np.zeros(x.size)
    for i in range(1, x.size):  #> R101
        s[i] = s[i - 1] + np.hypot(x[i] - x[i - 1], y[i] - y[i - 1])
    return s


def curvature(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    dx = x[2:] - x[:-2]  #> R005
    dy = y[2:] - y[:-2]
    ddx = x[2:] - 2.0 * x[1:-1] + x[:-2]
    ddy = y[2:] - 2.0 * y[1:-1] + y[:-2]
    return np.abs(dx * ddy - dy * ddx) / (dx * dx + dy * dy) ** 1.5  #> R001

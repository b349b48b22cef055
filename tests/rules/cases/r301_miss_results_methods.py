# verdict: READY
"""One call makes an object of the host library; its methods are not told again."""
import numpy as np
from scipy.interpolate import CubicSpline


def table(x: list, y: list, t: np.ndarray) -> np.ndarray:
    spline = CubicSpline(x, y)  #> R301
    slope = spline.derivative()
    return np.asarray(spline(t)) + np.asarray(slope(t))


def smooth(t: np.ndarray) -> np.ndarray:
    return np.exp(-0.5 * t * t)  #> R001

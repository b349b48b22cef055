# verdict: LIGHT REFACTOR
"""A step that is a module constant: of 4 here, of 1 there."""
import numpy as np

BINNING = 4
UNIT = 1


def coarse(frame: np.ndarray) -> np.ndarray:
    return frame[0::BINNING, :]  #> R106


def fine(frame: np.ndarray) -> np.ndarray:
    return frame[0::UNIT, :] * 2.0


def same(frame: np.ndarray, lo: int, hi: int) -> np.ndarray:
    return frame[lo:hi:1] + frame[lo:hi:]

# verdict: READY
"""Loops over three components or over colour channels, with whole slabs in the body."""
import numpy as np

DIM = 3


def drift(pos: np.ndarray, vel: np.ndarray, box: np.ndarray, dt: float) -> np.ndarray:
    for d in range(DIM):
        pos[d] += dt * vel[d]
        pos[d] -= box[d] * np.floor(pos[d] / box[d])
    return pos


def luminance(rgb: np.ndarray) -> np.ndarray:
    grey = np.zeros(rgb.shape[:2])
    for c, weight in enumerate((0.299, 0.587, 0.114)):
        grey += weight * rgb[:, :, c]  #> R006
    return grey

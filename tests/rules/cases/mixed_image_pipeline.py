# verdict: LIGHT REFACTOR
# recipes: RR-loop RR-mask
"""Erosion by a loop over pixels, then hot pixels by index."""
import numpy as np


def erode(mask: np.ndarray) -> np.ndarray:
    h, w = mask.shape
    out = np.zeros((h, w))
    for y in range(1, h - 1):  #> R101~
        for x in range(1, w - 1):  #> R101~
            out[y, x] = np.min(mask[y - 1 : y + 2, x - 1 : x + 2])
    return out


def remove_hot(img: np.ndarray, level: float) -> np.ndarray:
    hot = np.where(img > level)  #> R204
    img[hot] = level
    return img

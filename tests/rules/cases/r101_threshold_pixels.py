# verdict: LIGHT REFACTOR
# recipes: RR-loop
"""A loop over pixels; the test on the pixel that the nest walks is part of it."""
import numpy as np


def binarise(img: np.ndarray, level: float) -> np.ndarray:
    out = np.zeros(img.shape, dtype=np.uint8)
    rows, cols = img.shape
    for i in range(rows):  #> R101~
        for j in range(cols):  #> R101~
            if img[i, j] > level:
                out[i, j] = 255
    return out


def stretch(img: np.ndarray) -> np.ndarray:
    lo, hi = img.min(), img.max()  #> R002
    return (img - lo) / (hi - lo)  #> R001

# verdict: READY
"""Back projection over lists of angles and of filtered rows: each turn works on the whole image."""
import numpy as np


def backproject(rows: list, xs: np.ndarray, ys: np.ndarray, angles: list, width: int) -> np.ndarray:
    image = np.zeros_like(xs)
    for theta, row in zip(angles, rows):
        t = xs * np.cos(theta) + ys * np.sin(theta)  #> R001
        idx = np.clip(t + width / 2.0, 0, width - 1).astype(np.int64)
        image += np.take(row, idx)  #> R006
    return image / len(angles)

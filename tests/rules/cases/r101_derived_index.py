# verdict: LIGHT REFACTOR
"""The index is derived from the loop's variable."""
import numpy as np


def bayer_green(raw: np.ndarray, n_cells: int) -> np.ndarray:
    green = np.empty(n_cells)
    for k in range(n_cells):  #> R101
        left = 2 * k
        right = left + 1
        green[k] = 0.5 * (raw[left] + raw[right])
    return green


def gamma(img: np.ndarray) -> np.ndarray:
    return np.power(np.clip(img, 0.0, 1.0), 1.0 / 2.2)  #> R001

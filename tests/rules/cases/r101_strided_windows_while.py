# verdict: LIGHT REFACTOR
# gates: 4=pass
"""Windows that while loops push on by a stride, with counters for the result."""
import numpy as np


def pool(x: np.ndarray, size: int, stride: int) -> np.ndarray:
    rows, cols = x.shape
    out = np.zeros(((rows - size) // stride + 1, (cols - size) // stride + 1))
    i = j = r = c = 0
    while i + size <= rows:  #> R101~
        while j + size <= cols:  #> R101~
            out[r, c] = np.max(x[i : i + size, j : j + size])
            j += stride
            c += 1
        i += stride
        r += 1
        j = c = 0
    return out


def rectify(x: np.ndarray) -> np.ndarray:
    return np.maximum(x, 0.0)  #> R001

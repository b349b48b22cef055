# verdict: NOT RECOMMENDED
# gates: 4=fail
"""Error diffusion: what one pixel leaves over goes to the next ones through a nested Python list."""
import numpy as np


def dither(image: np.ndarray) -> np.ndarray:
    rows, cols = image.shape
    out = np.zeros((rows, cols))
    left = [[0.0] * (cols + 2) for _ in range(rows + 1)]
    for i in range(rows):
        for j in range(cols):
            value = image[i, j] + left[i][j + 1]
            out[i, j] = np.rint(value)
            error = value - out[i, j]
            left[i][j + 2] += 0.4375 * error
            left[i + 1][j] += 0.1875 * error
            left[i + 1][j + 1] += 0.3125 * error
    return out

# verdict: NOT RECOMMENDED
# gates: 4=fail
"""The same diffusion with a threshold: no element loop's finding covers the branch on a pixel."""
import numpy as np


def halftone(image: np.ndarray, level: float) -> np.ndarray:
    rows, cols = image.shape
    out = np.zeros((rows, cols))
    due = [[0.0] * (cols + 1) for _ in range(rows + 1)]
    for i in range(rows):
        for j in range(cols):
            value = image[i, j] + due[i][j]
            if value > level:  #> R105
                out[i, j] = 1.0
            error = value - out[i, j]
            due[i][j + 1] += 0.5 * error
            due[i + 1][j] += 0.5 * error
    return out

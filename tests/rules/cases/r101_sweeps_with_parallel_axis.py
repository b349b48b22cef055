# verdict: LIGHT REFACTOR
# gates: 4=pass
"""ADI-like sweeps carry state from column to column; their bound is the array's own axis."""
import numpy as np


def smooth_columns(img: np.ndarray, a: float) -> np.ndarray:
    fwd = np.empty_like(img)
    back = np.empty_like(img)
    fwd[:, 0] = a * img[:, 0]
    for j in range(1, img.shape[1]):  #> R101
        fwd[:, j] = a * img[:, j] + (1.0 - a) * fwd[:, j - 1]
    back[:, -1] = a * img[:, -1]
    for j in range(img.shape[1] - 2, -1, -1):  #> R101
        back[:, j] = a * img[:, j] + (1.0 - a) * back[:, j + 1]
    return 0.5 * (fwd + back)  #> R001

# verdict: READY
# single: numpy.load
"""Files found by a pattern, counted by enumerate: neither the rows nor the conversion are in a hot loop."""
from pathlib import Path

import numpy as np


def summary(folder: str, width: int):
    rows = np.zeros((64, width))
    peaks = []
    for i, path in enumerate(sorted(Path(folder).glob("*.npy"))):
        frame = np.load(path)
        rows[i, :] = np.mean(frame, axis=0)
        peaks.append(float(np.max(frame)))
    return rows, peaks


def levelled(rows: np.ndarray) -> np.ndarray:
    return rows / np.max(rows, axis=1)[:, None]  #> R002

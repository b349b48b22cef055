# verdict: READY
# single: numpy.load
"""A loop over the files of a folder is not hot, also when it counts them."""
import os

import numpy as np


def background(folder: str, width: int) -> np.ndarray:
    names = os.listdir(folder)
    rows = np.zeros((len(names), width))
    for i in range(len(names)):
        frame = np.load(os.path.join(folder, names[i]))
        rows[i, :] = np.mean(frame, axis=0)
    return rows


def flat(frame: np.ndarray, rows: np.ndarray) -> np.ndarray:
    return frame / np.mean(rows, axis=0)  #> R002

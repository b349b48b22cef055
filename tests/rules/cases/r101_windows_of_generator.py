# verdict: LIGHT REFACTOR
"""Windows that a generator hands out, one a turn, and the loop that takes them."""
import numpy as np


def regions(image):
    h, w = image.shape
    for i in range(h - 2):  #> R101
        for j in range(w - 2):
            yield image[i:i + 3, j:j + 3], i, j


def forward(image: np.ndarray, filters: np.ndarray):
    h, w = image.shape
    out = np.zeros((h - 2, w - 2, filters.shape[0]))
    for region, i, j in regions(image):  #> R101
        out[i, j] = np.sum(region * filters, axis=(1, 2))
    return out

# verdict: LIGHT REFACTOR
"""Windows as large as a kernel are windows: the loops walk the image."""
import numpy as np


def correlate(img: np.ndarray, kernel: np.ndarray):
    kh, kw = kernel.shape
    oh = img.shape[0] - kh + 1
    ow = img.shape[1] - kw + 1
    out = np.zeros((oh, ow))
    for i in range(oh):  #> R101
        for j in range(ow):
            out[i, j] = np.sum(img[i:i + kh, j:j + kw] * kernel)
    return out

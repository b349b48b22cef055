# verdict: READY
"""Windows as wide as the array that was padded: the counter shifts a full-size slice."""
import numpy as np


def unfolded(img: np.ndarray, fh, fw):
    N, C, H, W = img.shape
    col = np.zeros((N, C, fh, fw, H, W))
    padded = np.pad(img, [(0, 0), (0, 0), (fh // 2, fh // 2), (fw // 2, fw // 2)])
    for y in range(fh):
        y_end = y + H
        for x in range(fw):
            col[:, :, y, x, :, :] = padded[:, :, y:y_end, x:x + W]
    return col


def folded(img: np.ndarray, col: np.ndarray, fh, fw):
    N, C, H, W = img.shape
    out = np.zeros((N, C, H + fh, W + fw))
    for y in range(fh):
        for x in range(fw):
            out[:, :, y:y + H, x:x + W] += col[:, :, y, x, :, :]
    return out


def smoothed(a: np.ndarray, reach):
    padded = np.pad(a, reach)
    out = np.zeros_like(a)
    for k in range(2 * reach + 1):
        out += padded[k:k + len(a)]
    return out

# verdict: LIGHT REFACTOR
# recipes: RR-host-fallback
"""Frames are read by OpenCV at the boundary, and blurred by it in every iteration."""
import cv2
import numpy as np


def read(path: str) -> np.ndarray:
    return np.asarray(cv2.imread(path, 0)) / 255.0  #> R301


def flatten_field(img: np.ndarray, n_iter: int) -> np.ndarray:
    out = np.zeros_like(img)
    for _ in range(n_iter):
        out += img - cv2.GaussianBlur(img, (9, 9), 0)  #> R301
        out *= 0.5
    return out

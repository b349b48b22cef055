# verdict: READY
"""An order= that is not a memory layout: splines, sorting of a list, a function of our own, a norm."""
import numpy as np
from scipy import ndimage


def bessel_like(x: np.ndarray, order: int) -> np.ndarray:
    return np.cos(x - order * np.pi / 2.0) * np.sqrt(2.0 / (np.pi * x))  #> R001


def magnify(image: np.ndarray) -> np.ndarray:
    return ndimage.zoom(image, 2, order=1)  #> R301


def evaluate(x: np.ndarray) -> np.ndarray:
    return bessel_like(x, order=2) / np.linalg.norm(x, ord=2)


def plain(x: np.ndarray, n: int) -> np.ndarray:
    return np.zeros((n, n)) + x.reshape((n, n))

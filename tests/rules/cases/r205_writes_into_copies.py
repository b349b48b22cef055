# verdict: LIGHT REFACTOR
# single: numpy.rot90 numpy.fliplr
"""Views in NumPy, copies on the target: what is written is lost."""
import numpy as np


def mute(section: np.ndarray) -> np.ndarray:
    flat = section.ravel()
    flat[0] = 0.0  #> R205
    return section


def frame(image: np.ndarray) -> np.ndarray:
    turned = np.rot90(image)
    turned[0, :] = 1.0  #> R205
    mirrored = np.fliplr(image)
    mirrored += 1.0  #> R205
    return image


def blocks(x: np.ndarray, n: int) -> np.ndarray:
    table = x.reshape(n, -1)
    table[:, 0] = 0.0  #> R205
    return x

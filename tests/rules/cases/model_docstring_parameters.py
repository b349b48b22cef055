# verdict: LIGHT REFACTOR
"""Parameters whose kind only stands in the docstring."""
import numpy as np


def boost(image, factor):
    """Brightens.

    Parameters
    ----------
    image : numpy.ndarray
        The picture.
    factor : float
        How much.
    """
    out = np.zeros_like(image)
    for i in range(len(image)):  #> R101
        out[i] = image[i] * factor
    return out


def mean_level(image):
    return np.mean(image)  #> R002

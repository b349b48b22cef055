# verdict: none
"""autograd.numpy brings arrays of its own."""
import autograd.numpy as np


def pool(x, delta):
    delta = delta.transpose(0, 2, 3, 1)
    y = np.zeros((delta.size, 4))
    y[np.arange(3), 1] = delta.flatten()
    return y


def patches(images, stride):
    n, c, h, w = images.shape
    images = np.pad(images, ((0, 0), (0, 0), (1, 1), (1, 1)), mode="constant")
    return images[:, :, 0:h:stride[0], 0:w]


def unfold(images, width):
    """
    Parameters
    ----------
    images : np.array, shape (n, c, h, w)
    """
    return images[:, :, :, 0:width]

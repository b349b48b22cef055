# verdict: LIGHT REFACTOR
"""a[i] of unknown rank is a row where only a row makes sense: in a transform, a product, a sum."""
import numpy as np


def forces(p: np.ndarray, q: np.ndarray, y: np.ndarray):
    g = np.zeros(y.shape)
    for i in range(y.shape[0]):  #> R101
        g[i] = 4 * np.dot((p[i] - q[i]) * q[i], y[i] - y)
    return g


def overlap_add(spectra: np.ndarray, window: np.ndarray, size, shift):
    y = np.zeros(spectra.shape[0] * shift + size - shift)
    for j, i in enumerate(range(0, len(y) - size + shift, shift)):  #> R101
        y[i:i + size] += window * np.real(np.fft.irfft(spectra[j]))  #> R303
    return y

# verdict: READY
# single: numpy.linalg.svd numpy.linalg.qr
"""svd, qr and an eigenproblem of one matrix stay on one device."""
import numpy as np


def principal_axes(data: np.ndarray, k: int) -> np.ndarray:
    centred = data - data.mean(axis=0)
    u, s, vt = np.linalg.svd(centred, full_matrices=False)  #> R302
    return centred @ vt[:k].T  #> R003


def basis(a: np.ndarray) -> np.ndarray:
    q, r = np.linalg.qr(a)  #> R302
    return q


def modes(k: np.ndarray):
    stiffness = 0.5 * (k + k.T)
    return np.linalg.eigh(stiffness)  #> R302

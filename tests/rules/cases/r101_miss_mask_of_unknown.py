# verdict: READY
"""A mean over a[m] is whole-array work whatever m is; so is a matrix product of matrices from a list."""
import numpy as np
import vendor


def spectrum(model, density: np.ndarray, edges: np.ndarray, width: float) -> np.ndarray:
    out = np.zeros(edges.size)
    for i in range(edges.size):
        inside = (model.wavenumber >= edges[i]) & (model.wavenumber < edges[i] + width)
        out[i] = density[inside].mean()
    return out


def overlaps(count: int) -> np.ndarray:
    errors = [vendor.residual(k) for k in range(count)]
    gram = np.empty((count, count))
    for i, left in enumerate(errors):
        for j, right in enumerate(errors):
            gram[i, j] = np.einsum("ij,ij->", left, right)
    return gram

# verdict: READY
# single: numpy.linalg.svd
"""The same through an alias of the submodule and through a name."""
import numpy as np
import numpy.linalg as la
from numpy.linalg import eigvalsh as spectrum


def low_rank(a: np.ndarray, k: int) -> np.ndarray:
    u, s, vt = la.svd(a, full_matrices=False)  #> R302
    return (u[:, :k] * s[:k]) @ vt[:k]  #> R003


def condition(a: np.ndarray):
    gram = a.T @ a
    w = spectrum(gram)  #> R302
    return np.sqrt(w.max() / w.min())

# verdict: LIGHT REFACTOR
"""Asking whether a matrix is sparse is no work of SciPy's."""
import numpy as np
from scipy import sparse
from scipy.sparse import isspmatrix_csr


def norm(x):
    if sparse.issparse(x) or isspmatrix_csr(x):
        return sparse.linalg.norm(x)  #> R301
    return np.sqrt((x * x).sum())


def shrink(x: np.ndarray, steps):
    for _ in range(steps):
        x /= norm(x)
    return x

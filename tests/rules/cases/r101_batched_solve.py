# verdict: LIGHT REFACTOR
# recipes: RR-batch
"""Independent small systems solved one after the other."""
import numpy as np


def implicit_cells(jac: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    delta = np.empty_like(rhs)
    for c in range(jac.shape[0]):  #> R101
        delta[c] = np.linalg.solve(jac[c], rhs[c])  #> R305
    return delta


def norms(rhs: np.ndarray) -> np.ndarray:
    return np.sqrt(np.sum(rhs * rhs, axis=1))  #> R002

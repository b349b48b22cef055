# verdict: LIGHT REFACTOR
# recipes: RR-alloc
"""cupynumeric when it is there, else NumPy: one module in both cases."""
try:
    import cupynumeric as np
except ImportError:
    import numpy as np


def propagate(psi: np.ndarray, phase: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        before = psi.copy()  #> R201
        psi *= phase
        psi += 0.01 * before
    return psi


def norm(psi: np.ndarray):
    return np.sqrt(np.sum(np.abs(psi) ** 2))  #> R002

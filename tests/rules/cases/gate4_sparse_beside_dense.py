# verdict: READY
# gates: 4=pass
"""One sparse matrix at set-up beside a dense part that dominates."""
import numpy as np
import scipy.sparse as sp


def coupling(n: int):
    return sp.eye(n).toarray()  #> R301


def evolve(psi: np.ndarray, h: np.ndarray, v: np.ndarray, steps: int) -> np.ndarray:
    work = np.empty_like(psi)
    for _ in range(steps):
        np.matmul(h, psi, out=work)  #> R003
        work += v * psi
        work -= np.mean(work)
        psi += 0.01 * work
        psi *= np.exp(-0.001 * v)
        psi -= 0.1 * np.tanh(psi)
    return psi

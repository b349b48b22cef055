# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""Python's max over a deferred scalar waits for it; over two host numbers it does not."""
import numpy as np


def worst_residual(a: np.ndarray, x: np.ndarray, b: np.ndarray, sweeps: int):
    worst = 0.0
    done = 0
    for k in range(sweeps):
        x += 0.1 * (b - a @ x)  #> R003
        worst = max(worst, np.abs(b - a @ x).max())  #> R104
        done = max(done, k + 1)
    return worst, done

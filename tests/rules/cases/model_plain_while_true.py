# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""An endless loop with a break is hot; a loop over three file names is not."""
import numpy as np

FILES = ["a.raw", "b.raw", "c.raw"]


def settle(u: np.ndarray, v: np.ndarray, limit: float) -> int:
    rounds = 0
    while True:
        u += 0.1 * (v - u)
        rounds += 1
        gap = float(np.abs(u - v).max())  #> R104
        if gap < limit or rounds > 10000:
            break
    return rounds


def means(load) -> list:
    levels = []
    for name in FILES:
        field = np.asarray(load(name))
        levels.append(float(field.mean()))
    return levels

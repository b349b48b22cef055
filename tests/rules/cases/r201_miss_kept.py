# verdict: READY
"""What is allocated in the loop is kept: appended, stored, yielded, returned."""
import numpy as np


def snapshots(u: np.ndarray, steps: int) -> list:
    frames = []
    for _ in range(steps):
        u *= 0.99
        frames.append(u.copy())
    return frames


def by_step(u: np.ndarray, steps: int) -> dict:
    kept = {}
    for k in range(steps):
        u *= 1.01
        kept[k] = u.copy()
    return kept


def stream(u: np.ndarray, steps: int):
    for _ in range(steps):
        u *= 0.5
        yield u.copy()


def rate(u: np.ndarray) -> np.ndarray:
    r = np.zeros_like(u)
    r[1:] = u[1:] - u[:-1]  #> R005
    return r


def march(u: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        u += 0.1 * rate(u)
    return u

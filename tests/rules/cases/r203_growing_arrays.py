# verdict: LIGHT REFACTOR
# recipes: RR-stack
"""Arrays that grow in a loop, by three functions and by r_."""
import numpy as np


def record(u: np.ndarray, steps: int):
    history = np.empty((0, u.size))
    norms = np.empty(0)
    tail = np.zeros(1)
    for _ in range(steps):
        u *= 0.99
        history = np.concatenate([history, u[None, :]])  #> R203
        norms = np.append(norms, np.sum(u * u))  #> R203
        tail = np.hstack((tail, u[:1]))  #> R203
    return history, norms, tail


def events(u: np.ndarray, steps: int) -> np.ndarray:
    seen = np.zeros(0)
    for _ in range(steps):
        u *= 0.5
        seen = np.r_[seen, u[:4]]  #> R203
    return seen

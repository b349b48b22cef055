# verdict: LIGHT REFACTOR
"""A copy of the best point so far, made in a branch, is kept until a better one is found."""
import numpy as np


def cost(x: np.ndarray) -> np.ndarray:
    return np.sum((x - 3.0) ** 2, axis=1)


def search(points: np.ndarray, steps: int) -> np.ndarray:
    best = points[0].copy()
    low = np.inf
    for _ in range(steps):
        values = cost(points)
        i = np.argmin(values)
        if values[i] < low:  #> R105
            low = values[i]
            best = points[i, :].copy()
        points += 0.1 * (best - points)
    return best


def climb(points: np.ndarray, steps: int) -> np.ndarray:
    found, low = points[0], np.inf
    for _ in range(steps):
        total = np.sum(cost(points))
        if total < low:  #> R105
            low = total
            found = points.copy()
        points *= 0.99
    return found


def relax(u: np.ndarray, steps: int, damped: bool) -> np.ndarray:
    for _ in range(steps):
        if damped:
            before = u.copy()  #> R201
        else:
            before = 0.5 * u
        u[1:-1] = 0.5 * (before[:-2] + before[2:])  #> R005
    return u

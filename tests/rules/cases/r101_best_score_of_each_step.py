# verdict: LIGHT REFACTOR
# gates: 4=pass
"""A curve of the best score so far beside loops that fill whole arrays is no recurrence."""
import random

import numpy as np


def hunt(objective, agents: int, dim: int, steps: int) -> tuple:
    places = np.zeros((agents, dim))
    best, score = np.zeros(dim), float("inf")
    curve = np.zeros(steps)
    for step in range(steps):
        for i in range(agents):  #> R101~
            for j in range(dim):  #> R101~
                places[i, j] = np.clip(places[i, j], -1.0, 1.0)
            fitness = objective(places[i, :])
            if fitness < score:
                score = fitness
                best = places[i, :].copy()
        for i in range(agents):  #> R101
            for j in range(dim):
                pull = 2 * random.random()
                places[i, j] = best[j] - pull * abs(best[j] - places[i, j])
        curve[step] = score
    return best, curve

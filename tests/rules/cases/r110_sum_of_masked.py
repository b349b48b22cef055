# verdict: LIGHT REFACTOR
"""Python's sum over masked weights gives one number that is still to come: a logarithm in math waits for it."""
import math

import numpy as np


def boost(x: np.ndarray, y: np.ndarray, cut: float, rounds: int) -> list:
    w = np.full(y.shape[0], 1.0 / y.shape[0])
    votes = []
    for _ in range(rounds):
        guess = np.where(x > cut, 1.0, -1.0)  #> R004
        error = sum(w[guess != y])  #> R110
        error = 1.0 - error
        vote = 0.5 * math.log(error / (1.0 - error))  #> R104
        w *= np.exp(-vote * y * guess)  #> R006
        w /= np.sum(w)
        votes.append(vote)
        cut += 0.01
    return votes

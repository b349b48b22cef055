# verdict: LIGHT REFACTOR
"""A loop that hands a field on stays a time loop although it draws each step."""
import matplotlib.pyplot as plt
import numpy as np


def run(u: np.ndarray, steps: int):
    for n in range(steps):
        u[1:-1] = 0.5 * (u[2:] + u[:-2])
        plt.plot(u)
        if np.max(u) < 1e-3:  #> R105
            break

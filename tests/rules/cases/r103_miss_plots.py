# verdict: READY
"""A loop that only draws is a loop over plots."""
import matplotlib.pyplot as plt
import numpy as np


def show(f: np.ndarray, p: np.ndarray):
    lines = np.dot(f, p)
    for line in lines.T:
        plt.plot(line[0], line[1])
    plt.show()


def grid(axes, samples: np.ndarray):
    for i in range(samples.shape[0]):
        row = samples[i, :] * 2.0
        axes[i].plot(row)
        axes[i].set_title(f"{i}")

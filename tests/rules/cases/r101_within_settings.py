# verdict: LIGHT REFACTOR
"""A loop over a few settings reports nothing; the loop within it that turns often does."""
import matplotlib.pyplot as plt
import numpy as np
from tqdm import tqdm


class Value:
    def __init__(self):
        self.weights = np.zeros(2048)


def episode_of(value):
    return np.sum(value.weights)


def main():
    alphas = [0.1, 0.2, 0.5]
    steps = np.zeros((len(alphas), 500))
    for run in range(10):
        values = [Value() for a in alphas]
        for index in range(len(values)):
            for episode in tqdm(range(500)):  #> R101
                steps[index, episode] += episode_of(values[index])
    plt.plot(steps[0])
    plt.savefig("x.png")

# verdict: LIGHT REFACTOR
"""A loop that only calls a function of ours that draws is one over plots; if that keeps something,
it is not."""
import numpy as np
from matplotlib.patches import Ellipse


class Mixture:
    def __init__(self, k):
        self.k = k
        self.mu = np.zeros((k, 2))
        self.last = np.zeros((k, 2))

    def ellipse(self, mean, ax):
        return ax.add_patch(Ellipse((mean[0], mean[1]), width=1, height=2))

    def ellipse_kept(self, mean, i, ax):
        ax.add_patch(Ellipse((0, 0), width=1, height=2))
        self.last[i, :] = mean * 2

    def draw(self, ax):
        for i in range(self.k):
            self.ellipse(self.mu[i], ax)

    def draw_and_keep(self, ax):
        for i in range(self.k):  #> R101
            self.ellipse_kept(self.mu[i], i, ax)

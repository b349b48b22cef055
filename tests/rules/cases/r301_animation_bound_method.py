# verdict: LIGHT REFACTOR
# recipes: RR-host-fallback
"""The animation gets a bound method by keyword; it is called for each frame."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import animation
from scipy import ndimage


class Ripples:
    def __init__(self, n):
        self.u = np.zeros((n, n))
        self.v = np.zeros((n, n))

    def force(self):
        lap = ndimage.laplace(self.u)  #> R301
        return np.asarray(lap)

    def frame(self, number):
        self.v += 0.1 * self.force()
        self.u += 0.1 * self.v

    def show(self):
        fig = plt.figure()
        return animation.FuncAnimation(fig, func=self.frame, interval=30)

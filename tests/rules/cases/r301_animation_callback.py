# verdict: LIGHT REFACTOR
# recipes: RR-host-fallback
"""The animation calls tick for each frame, so what the swarm does in it is hot."""
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.animation import FuncAnimation
from scipy.spatial.distance import pdist, squareform


class Swarm:
    def __init__(self, n):
        self.pos = np.random.rand(n, 2)  #> R304
        self.vel = np.zeros((n, 2))

    def advance(self):
        near = squareform(pdist(self.pos)) < 0.1  #> R301
        crowd = np.sum(np.asarray(near), axis=1)
        self.vel -= 0.01 * crowd[:, None] * self.vel
        self.pos += self.vel


def tick(frame, swarm):
    swarm.advance()


def main():
    swarm = Swarm(20000)
    fig = plt.figure()
    movie = FuncAnimation(fig, tick, fargs=(swarm,), interval=40)
    plt.show()
    return movie


if __name__ == "__main__":
    main()

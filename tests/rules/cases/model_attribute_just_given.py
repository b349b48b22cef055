# verdict: LIGHT REFACTOR
"""An attribute is what the line before has given to it; in the test of a loop it is what the loop gives to it."""
import detectors
import numpy as np


class Tracker:
    def __init__(self, detector):
        self.detector = detector
        self.t = 0.0

    def first(self, image):
        self.points = self.detector.detect(image)
        self.points = np.array([p.pt for p in self.points])

    def half(self):
        self.points = self.points[self.points[:, 0] > 0]
        return self.points

    def march(self, u: np.ndarray, limit: float):
        self.t = 0.0
        while self.t < limit:  #> R105
            self.t = self.t + 0.5 / np.max(u)
            u *= 0.5


def smoothed(image: np.ndarray):
    return detectors.smooth(image) * 2.0

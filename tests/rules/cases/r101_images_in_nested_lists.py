# verdict: LIGHT REFACTOR
"""Pixels of images that a parameter holds in lists of lists: what the items are, their use tells."""
import numpy as np


def extrema(pyramid, limit):
    found = []
    for o, octave in enumerate(pyramid):
        for s, image in enumerate(octave):
            for y in range(1, image.shape[0] - 1):  #> R101
                for x in range(1, image.shape[1] - 1):
                    if image[y, x] > limit:
                        found.append((o, s, y, x))
    return found


def between(pyramid):
    found = []
    for octave in pyramid:
        for s, (low, mid, high) in enumerate(zip(octave, octave[1:], octave[2:])):
            for y in range(1, mid.shape[0] - 1):  #> R101
                for x in range(1, mid.shape[1] - 1):
                    if np.all(mid[y, x] > low[y - 1 : y + 2, x - 1 : x + 2]):
                        found.append((s, y, x))
    return found


def lengths(groups):
    total = 0
    for group in groups:
        for name, words in group.items():
            for k in range(len(words)):
                total += len(words[k])
    return total

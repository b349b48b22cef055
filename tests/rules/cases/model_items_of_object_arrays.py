# verdict: SIGNIFICANT REFACTOR
"""Items of an array of objects are whatever they are used for: images, here."""
import numpy as np


def collect(octaves):
    return np.array([list(images) for images in octaves], dtype=object)  #> R107


def peak(window, threshold):
    center = window[1, 1]
    if abs(center) > threshold:  #> R105
        return center - window[0, :].mean()
    return 0.0


def peaks(octaves, threshold):
    found = []
    for images in collect(octaves):  #> R103
        for image in images:
            for i in range(1, image.shape[0] - 1):
                for j in range(1, image.shape[1] - 1):
                    found.append(peak(image[i - 1:i + 2, j - 1:j + 2], threshold))
    return found

# SPDX-License-Identifier: Apache-2.0
"""Thresholds, histograms and sums, an element at a time."""

import itertools

import numpy as np

ROWS, COLUMNS, BINS = 20, 18, 24


def threshold(image, limit):
    mask = np.zeros(image.shape)
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            if image[i, j] > limit:
                mask[i, j] = 1.0
    return mask


def brightest(image):
    best = image[0, 0]
    for i, j in itertools.product(range(image.shape[0]), range(image.shape[1])):
        best = np.maximum(best, image[i, j])
    return best


def bright_pixels(image, limit):
    count = 0
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            count += int(image[i, j] > limit)
    return count


def smooth(signal):
    out = np.zeros(len(signal))
    i = 1
    while i < len(signal) - 1:
        out[i] = 0.25 * signal[i - 1] + 0.5 * signal[i] + 0.25 * signal[i + 1]
        i += 1
    return out


def running_sum(signal):
    total = np.zeros(len(signal))
    total[0] = signal[0]
    for i in range(1, len(signal)):
        total[i] = total[i - 1] + signal[i]
    return total


def squares(signal):
    return [signal[i] * signal[i] for i in range(len(signal))]


image = np.linspace(0.0, 1.0, ROWS * COLUMNS).reshape(ROWS, COLUMNS)
signal = np.linspace(-1.0, 1.0, BINS)
print(threshold(image, 0.5).shape, brightest(image), bright_pixels(image, 0.5))
print(smooth(signal).shape, running_sum(signal).shape, len(squares(signal)))

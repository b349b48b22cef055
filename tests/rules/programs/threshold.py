# SPDX-License-Identifier: Apache-2.0
"""Noise below a threshold is taken out: places where a mask would do, and an order nobody needs."""

import numpy as np


def clean(n, seed):
    rng = np.random.default_rng(seed)
    signal = np.linspace(-1.0, 1.0, n)
    weights = np.zeros((n, 3), order="F")
    noise = rng.random(n)
    weights[:, 1] = noise
    signal[np.where(signal < -0.5)] = 0.0
    loud = signal[np.nonzero(signal > 0.25)] * 2
    return signal, loud, weights + 1.0


def main(seed=0):
    return clean(120, seed)

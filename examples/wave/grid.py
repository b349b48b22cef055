# SPDX-License-Identifier: Apache-2.0
"""The grid of the wave equation: fields, their start, and the absorbing rim."""

import numpy as np

NX = 4096
NY = 4096


def fields():
    """Pressure now, a step ago, and a step ahead."""
    return np.zeros((NX, NY)), np.zeros((NX, NY)), np.zeros((NX, NY))


def ricker(t: float, frequency: float) -> float:
    a = (np.pi * frequency * (t - 1.2 / frequency)) ** 2
    return (1.0 - 2.0 * a) * np.exp(-a)


def damping(width: int) -> np.ndarray:
    """1 inside, falling to 0.9 at the rim."""
    x = np.arange(NX)[:, None]
    y = np.arange(NY)[None, :]
    rim = np.minimum(np.minimum(x, NX - 1 - x), np.minimum(y, NY - 1 - y))
    return 0.9 + 0.1 * np.minimum(rim, width) / width

# SPDX-License-Identifier: Apache-2.0
"""A solver that reads its residual in every step, and its result at the end."""

import math

import numpy as np

N, STEPS = 20, 30


def relax(u, steps):
    history = []
    for _ in range(steps):
        new = u.copy()
        new[1:-1] = 0.5 * (u[:-2] + u[2:])
        history.append(
            float(
                np.abs(new - u).max()
            )
        )
        u = new
    return u, history


def rescale(u, steps):
    for _ in range(steps):
        size = int(np.sum(u > 0.5))
        u = u / (1.0 + round(u.sum(), 3) + size)
        flat = bool(np.all(u < 1e-30))
        scale = math.sqrt(u.sum())  #> unseen R104
    return u, flat, scale


def settle(u, tolerance):
    error = np.abs(u).max()
    while error > tolerance:  #> unseen R105
        u = 0.5 * u
        error = np.abs(u).max()
    return u


u, history = relax(np.linspace(0.0, 1.0, N), STEPS)
rescaled, _, _ = rescale(u, STEPS)
settled = settle(u, 1e-3)
print(float(settled.max()), history[-1])  #> once

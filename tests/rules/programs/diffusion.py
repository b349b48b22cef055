# SPDX-License-Identifier: Apache-2.0
"""Diffusion on a line with a source: arrays that nothing else names are bound anew in each step."""

import numpy as np


def diffuse(n, steps, seed):
    rng = np.random.default_rng(seed)
    start = rng.random(n)
    u = np.zeros(n)
    heat = np.zeros(n)
    u[:] = start
    for step in range(steps):
        flux = np.zeros(n)
        flux[1:-1] = u[2:] - 2.0 * u[1:-1] + u[:-2]
        u = u + 0.1 * flux
        heat = heat + u * u
        heat = heat * 0.5  # what is left
    return u, heat


def main(seed=0):
    return diffuse(64, 40, seed)

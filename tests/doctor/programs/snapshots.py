# SPDX-License-Identifier: Apache-2.0
"""Whole arrays brought to the host: in every step, every so many steps, and at the end."""

import statistics

import cupynumeric as np
import numpy

N, STEPS = 40, 24


def wave(u, steps):
    frames = []
    for step in range(steps):
        u = u + 0.1 * np.sin(u)
        frames.append(numpy.asarray(u))
    return u, frames


def diffuse(u, steps):
    kept = []
    for step in range(steps):
        u[1:-1] += 0.1 * (u[:-2] - 2.0 * u[1:-1] + u[2:])
        kept.append(u.tolist())
    return kept


def sample(u, steps):
    kept = []
    for step in range(steps):
        u *= 0.9
        if step % 8 == 0:
            kept.append(u.tolist())  #> periodic
    return kept


u, frames = wave(np.linspace(0.0, 1.0, N), STEPS)
kept = diffuse(u, STEPS)
sampled = sample(u, STEPS)
last = numpy.asarray(u)  #> once
print(len(frames), len(kept), len(sampled), last.shape, statistics.fmean(u))  #> library

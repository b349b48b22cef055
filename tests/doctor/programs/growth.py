# SPDX-License-Identifier: Apache-2.0
"""Results that are stacked while they are made."""

import numpy as np

STEPS = 20


def track(start, steps):
    path = start
    for _ in range(steps):
        path = np.vstack((path, path[-1:] * 1.1))
    return path


def record(steps):
    seen = np.zeros(1)
    for step in range(steps):
        seen = np.hstack([seen, np.full(2, float(step))])
    return seen


class Log:
    def __init__(self):
        self.rows = np.zeros((1, 4))

    def add(self, row):
        self.rows = np.vstack([self.rows, row])


def fill(steps):
    log = Log()
    for step in range(steps):
        log.add(np.full((1, 4), float(step)))
    return log


def edges(steps):
    u = np.ones(6)
    for _ in range(steps):
        padded = np.hstack((u[:1], u, u[-1:]))
        u = 0.5 * (padded[:-2] + padded[2:])
    return u


print(track(np.ones((1, 3)), STEPS).shape, record(STEPS).shape, fill(STEPS).rows.shape)
print(edges(STEPS).shape)

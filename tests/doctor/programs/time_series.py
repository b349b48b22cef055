# SPDX-License-Identifier: Apache-2.0
"""Loops whose turns depend on each other: no slice puts them in one statement."""

import numpy as np

STEPS, CELLS = 30, 12


def filtered(x):
    y = np.zeros(len(x))
    for t in range(1, len(x)):
        y[t] = 0.9 * y[t - 1] + np.tanh(y[t - 1] * x[t])  #> recurrence
    return y


def march(u, steps):
    for step in range(steps):
        u[step + 1, 1:-1] = 0.5 * (u[step, :-2] + u[step, 2:])  #> time
    return u


x = np.linspace(0.0, 1.0, STEPS)
u = np.zeros((STEPS + 1, CELLS))
u[0, :] = np.linspace(0.0, 1.0, CELLS)
print(filtered(x).shape, march(u, STEPS).shape)

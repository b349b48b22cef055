# SPDX-License-Identifier: Apache-2.0
"""Python's own reductions, which fetch one element after another."""

import numpy as np

N = 20


def spread(values):
    return max(values) - min(values)


def total(values):
    return sum(values)


def judge(flags):
    return any(flags), all(flags)


def median(values):
    ordered = sorted(values)
    return ordered[len(ordered) // 2]


def total_of_squares(values):
    return sum(v * v for v in values)


def extremes(values):
    found = []
    for pick in (max, min):
        found.append(pick(values))  #> variable
    return found


def never_called(values: np.ndarray):
    return sum(values)  #> unseen R110


values = np.linspace(-1.0, 1.0, N)
print(spread(values), total(values), judge(values > 0.0), median(values))
print(total_of_squares(values), extremes(values))

# SPDX-License-Identifier: Apache-2.0
"""Readings of sensors are calibrated one by one, as in a first version of many a program."""

import numpy as np


def calibrate(n, seed):
    rng = np.random.default_rng(seed)
    raw = np.linspace(0.0, 5.0, n)
    raw += rng.random(n)
    volts = np.zeros(len(raw))
    kelvin = np.ones_like(raw)
    for i in range(len(raw)):
        volts[i] = 0.5 * raw[i] + np.sin(raw[i])
        kelvin[i] = volts[i] ** 2 - raw[i]
    return volts, kelvin


def main(seed=0):
    volts, kelvin = calibrate(200, seed)
    total = np.zeros(200)
    for day in range(30):
        total = total + volts
        total = total - kelvin / 30
    return volts, kelvin, total

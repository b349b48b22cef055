# SPDX-License-Identifier: Apache-2.0
"""Time stepping."""

import numpy as np

from grid import damping, fields, ricker


def laplacian(u: np.ndarray, out: np.ndarray) -> None:
    out[1:-1, 1:-1] = (
        u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
    )


def run(steps: int, dt: float, tolerance: float):
    before, now, after = fields()
    mask = damping(32)
    peaks = []
    for step in range(steps):
        lap = np.zeros_like(now)
        laplacian(now, lap)
        after[:] = 2.0 * now - before + dt * dt * lap
        after *= mask
        after[now.shape[0] // 2, now.shape[1] // 2] += ricker(step * dt, 12.0)
        peaks.append(float(np.abs(after).max()))
        if step > 100 and np.abs(after - now).max() < tolerance:
            break
        before, now, after = now, after, before
    return now, peaks

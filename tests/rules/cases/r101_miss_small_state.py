# verdict: READY
"""Demonstration sizes do not make the state of a time loop a small operand."""
import numpy as np

x = np.linspace(0.0, 1.0, 81)
u = np.sin(x)
steps = 500
mass = np.zeros(steps)
for it in range(steps):
    u[1:-1] += 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    mass[it] = u.sum()


def march(field: np.ndarray, steps: int):
    total = np.zeros(steps)
    for n in range(steps):
        field[1:-1] = field[1:-1] + 0.1 * (field[:-2] - field[2:])
        total[n] = np.sum(field[1:-1])
    return total


march(np.zeros(101), 700)

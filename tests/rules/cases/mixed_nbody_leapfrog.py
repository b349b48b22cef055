# verdict: READY
# gates: 4=pass
# context: elements=64M gpus=2 nodes=1
"""All pairs by broadcasting, leapfrog in place, energy every hundred steps."""
import numpy as np


def accelerations(x: np.ndarray, m: np.ndarray) -> np.ndarray:
    d = x[None, :, :] - x[:, None, :]
    r2 = np.sum(d * d, axis=2) + 1e-6  #> R002
    return np.sum(m[None, :, None] * d / (r2 * np.sqrt(r2))[:, :, None], axis=1)


def leapfrog(x: np.ndarray, v: np.ndarray, m: np.ndarray, dt: float, steps: int) -> list:
    energy = []
    for n in range(steps):
        v += 0.5 * dt * accelerations(x, m)
        x += dt * v
        v += 0.5 * dt * accelerations(x, m)
        if n % 100 == 0:
            energy.append(float(0.5 * np.sum(m[:, None] * v * v)))
    return energy

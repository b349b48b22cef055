# verdict: READY
"""A list that grows and one stack at the end; fixed parts joined each step."""
import numpy as np


def trajectories(x: np.ndarray, steps: int) -> np.ndarray:
    frames = []
    for _ in range(steps):
        x *= 0.999
        frames.append(x * 1.0)
    return np.stack(frames)


def padded(x: np.ndarray, left: np.ndarray, right: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        full = np.concatenate([left, x, right])
        x[:] = 0.5 * (full[2:] + full[:-2])  #> R005
    return x


def once(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    a = np.concatenate([a, b])
    return a

# verdict: READY
"""What is looped over are a list of numbers and a generator of whole fields."""
import numpy as np


def halved(values: list) -> list:
    out = []
    for v in values:
        out.append(0.5 * float(v))
    return out


def octaves(x: np.ndarray, count: int):
    scale = 1.0
    for _ in range(count):
        yield np.sin(scale * x) / scale
        scale *= 2.0


def turbulence(x: np.ndarray) -> np.ndarray:
    total = np.zeros_like(x)
    for octave in octaves(x, 8):
        total += octave  #> R006
    return total

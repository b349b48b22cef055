# verdict: READY
"""CuPy reads the input once, and takes the result once."""
import cupy
import cupynumeric as np


def from_cupy(raw) -> np.ndarray:
    scaled = cupy.asarray(raw) * 0.5
    return np.asarray(cupy.asnumpy(scaled))


def advance(u: np.ndarray, w: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        w[1:-1] = 0.5 * (u[:-2] + u[2:])  #> R005
        u, w = w, u  #> R006
    return u


def to_cupy(u: np.ndarray):
    return cupy.asarray(u)

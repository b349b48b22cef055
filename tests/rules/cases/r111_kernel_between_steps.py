# verdict: LIGHT REFACTOR
"""A CuPy kernel between cuPyNumeric steps: each crossing in the loop counts."""
import cupy
import cupynumeric as np


def project(velocity: np.ndarray, n_steps: int) -> np.ndarray:
    for _ in range(n_steps):
        velocity *= 0.99
        on_cupy = cupy.asarray(velocity)  #> R111
        scaled = on_cupy * 2.0 + 1.0
        velocity[:] = np.asarray(scaled)  #> R111
    return velocity

# verdict: READY
# context: elements=200M gpus=4
# gates: 2=pass 3=pass 4=pass
# composite: strong go
"""A 3-D diffusion stencil with two buffers at a size that wants several GPUs."""
import numpy as np


def diffuse(n: int, steps: int, r: float) -> np.ndarray:
    u = np.zeros((n, n, n), dtype=np.float32)
    w = np.zeros_like(u)
    u[n // 2, n // 2, n // 2] = 1.0
    for _ in range(steps):
        w[1:-1, 1:-1, 1:-1] = u[1:-1, 1:-1, 1:-1] + r * (  #> R005
            u[2:, 1:-1, 1:-1] + u[:-2, 1:-1, 1:-1] + u[1:-1, 2:, 1:-1]
            + u[1:-1, :-2, 1:-1] + u[1:-1, 1:-1, 2:] + u[1:-1, 1:-1, :-2] - 6.0 * u[1:-1, 1:-1, 1:-1]
        )
        u, w = w, u  #> R006
    return u

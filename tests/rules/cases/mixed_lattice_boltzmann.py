# verdict: READY
# gates: 4=pass
"""D2Q9 streaming and collision: nine directions are a small axis."""
import numpy as np

CX = (0, 1, 0, -1, 0, 1, -1, -1, 1)
CY = (0, 0, 1, 0, -1, 1, 1, -1, -1)
W = (4 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 36, 1 / 36, 1 / 36, 1 / 36)


def stream(f: np.ndarray) -> None:
    for i in range(9):
        f[i] = np.roll(np.roll(f[i], CX[i], axis=0), CY[i], axis=1)


def collide(f: np.ndarray, rho: np.ndarray, ux: np.ndarray, uy: np.ndarray, omega: float) -> None:
    np.sum(f, axis=0, out=rho)  #> R006
    for i in range(9):
        cu = 3.0 * (CX[i] * ux + CY[i] * uy)
        f[i] += omega * (W[i] * rho * (1.0 + cu + 0.5 * cu * cu) - f[i])


def run(f: np.ndarray, rho: np.ndarray, ux: np.ndarray, uy: np.ndarray, steps: int) -> None:
    for _ in range(steps):
        stream(f)
        collide(f, rho, ux, uy, 1.2)

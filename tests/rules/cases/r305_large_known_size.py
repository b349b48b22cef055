# verdict: READY
"""A boundary element matrix whose size stands in the code."""
import numpy as np

PANELS = 12000


def influence(x: np.ndarray) -> np.ndarray:
    d = x[:, None] - x[None, :]
    return 1.0 / (np.abs(d) + 0.01)


def charges(v: float) -> np.ndarray:
    x = np.linspace(0.0, 1.0, PANELS)
    a = influence(x)
    return np.linalg.solve(a, v * np.ones(PANELS))  #> R305

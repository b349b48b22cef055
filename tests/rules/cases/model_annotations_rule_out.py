# verdict: READY
"""float, int, list and dict parameters are no arrays, whatever is done with them in loops."""
import numpy as np


def pid(target: float, state: dict, gains: list, steps: int) -> float:
    error = target
    for _ in range(steps):
        error = error - gains[0] * state["rate"]
        if error < 0.0:
            break
        state["rate"] = float(error) * gains[1]
        worst = max(error, 0.0)
        state["worst"] = round(worst, 3)
    return error


def response(t: np.ndarray, tau: float) -> np.ndarray:
    return 1.0 - np.exp(-t / tau)  #> R001

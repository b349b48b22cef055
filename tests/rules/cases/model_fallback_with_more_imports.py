# verdict: LIGHT REFACTOR
"""A fallback is one although the target also gives single names."""
try:
    import cupynumeric as np
    from cupynumeric import tanh
except ImportError:
    import numpy as np


def run(u: np.ndarray, steps: int) -> np.ndarray:
    for i in range(steps):
        u *= 0.5
        if np.max(u) > 10.0:  #> R105
            break
    return u

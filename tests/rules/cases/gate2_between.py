# verdict: READY
# context: elements=400000 gpus=1
# gates: 2=uncertain
# composite: no go
"""Above the runtime's smallest chunk, below what pays."""
import numpy as np


def decay(n: np.ndarray, lam: np.ndarray, dt: float) -> np.ndarray:
    return n * np.exp(-lam * dt)  #> R001

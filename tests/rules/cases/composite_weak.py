# verdict: READY
# context: elements=50M gpus=1
# gates: 2=pass 3=pass 4=pass
# composite: weak go
"""Ready, but between 10 and 100 million elements: a pilot first."""
import numpy as np


def saturate(x: np.ndarray) -> np.ndarray:
    return np.tanh(x) * np.exp(-x * x)  #> R001

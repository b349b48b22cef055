# verdict: NOT RECOMMENDED
# gates: 4=fail
"""Each signal silences those that follow it: whether one counts depends on what was silenced before."""
import numpy as np


def silence(signal: np.ndarray, width):
    for i in range(len(signal)):
        signal[i + 1:i + 1 + width] = 0 if signal[i] else signal[i + 1:i + 1 + width]  #> R105
    return signal

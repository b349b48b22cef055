# verdict: LIGHT REFACTOR
"""Windows as long as a template: along the padded signal it is the loop that is long."""
import numpy as np


def matched(x: np.ndarray, t: np.ndarray):
    n, m = len(x), len(t)
    padded = np.pad(x, m)
    score = np.zeros(n)
    for i in range(n):  #> R101
        score[i] = np.sum(padded[i:i + m] * t)
    return score

# verdict: LIGHT REFACTOR
"""A loop over an array within a loop over another one: both take an array apart."""
import numpy as np

STATES = np.arange(1000)


def sweep(value: np.ndarray) -> np.ndarray:
    returns = np.zeros(1000)
    for s in STATES[1:]:  #> R103
        actions = np.arange(min(s, 1000 - s) + 1)
        found = []
        for a in actions:  #> R103
            found.append(0.4 * value[s + a] + 0.6 * value[s - a])
        returns[s] = np.max(found)
    return returns


def total(table: np.ndarray) -> float:
    result = 0.0
    for row in table:  #> R103
        for x in row:
            result += x
    return result

# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""How many numbers are drawn is what the array says: the shape waits for the count."""
import numpy as np


def scatter(energy: np.ndarray, steps: int) -> np.ndarray:
    for _ in range(steps):
        fast = energy > 1.0
        n = np.sum(fast)
        kicks = np.random.normal(0.0, 1.0, n)  #> R104 R304
        energy[fast] -= 0.1 * kicks * kicks  #> R007
        energy += 0.01
    return energy

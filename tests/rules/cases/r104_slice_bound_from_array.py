# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""A shape that depends on array values, in the loop over generations."""
import numpy as np


def branching(weight: np.ndarray, survive: np.ndarray, generations: int):
    sizes = []
    for _ in range(generations):
        weight *= survive
        alive = np.sum(weight > 1e-3)
        head = weight[:alive]  #> R104
        sizes.append(np.sum(head))
    return sizes

# verdict: LIGHT REFACTOR
# recipes: RR-loop
"""Rows, then the cells of each row: the test on a cell belongs to the loops."""
import numpy as np


def alive(grid: np.ndarray) -> int:
    count = 0
    for row in grid:  #> R103~
        for cell in row:  #> R103~
            if cell > 0:
                count += 1
    return count


def age(grid: np.ndarray) -> np.ndarray:
    return np.where(grid > 0, grid + 1, 0)  #> R004

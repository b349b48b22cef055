# verdict: LIGHT REFACTOR
# recipes: RR-loop
"""Functions that get the rows of an R103 loop branch on them: that is part of the loop's finding."""
import numpy as np


def limited(row):
    peak = np.max(row)
    if peak > 1.0:
        return row / peak
    return row


def rising(row):
    return 1 if row[-1] > row[0] else 0


def clean(table: np.ndarray):
    rows = []
    up = 0
    for row in table:  #> R103
        rows.append(limited(row))
        up += rising(row)
    return rows, up

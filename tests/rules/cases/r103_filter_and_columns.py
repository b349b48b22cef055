# verdict: LIGHT REFACTOR
# recipes: RR-loop
"""filter over an array, and a loop over the columns by way of the transpose."""
import numpy as np


def positive(residuals: np.ndarray) -> list:
    return list(filter(np.signbit, residuals))  #> R103


def column_norms(design: np.ndarray) -> list:
    norms = []
    for col in design.T:  #> R103
        norms.append(np.sqrt(np.sum(col * col)))
    return norms

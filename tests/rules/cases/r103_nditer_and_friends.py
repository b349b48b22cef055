# verdict: LIGHT REFACTOR
"""The iterator objects of NumPy; they are R103 and not gaps as well."""
import numpy as np


def quantise(field: np.ndarray, levels: int) -> np.ndarray:
    out = np.zeros(field.shape)
    for idx, value in np.ndenumerate(field):  #> R103
        out[idx] = np.floor(value * levels) / levels
    return out


def ramp(field: np.ndarray) -> np.ndarray:
    for i, j in np.ndindex(field.shape):  #> R103
        field[i, j] = 0.5 * field[i, j] + i + j
    return field


def doubled(field: np.ndarray) -> np.ndarray:
    for cell in np.nditer(field, op_flags=["readwrite"]):  #> R103
        cell[...] = 2.0 * cell
    return field

# verdict: READY
"""A parameter called min, a local function called sum: no builtins."""
import numpy as np


def sum(values: np.ndarray) -> np.ndarray:
    return np.sum(values, axis=0)  #> R002


def clamp(field: np.ndarray, min: float, max: float) -> np.ndarray:
    return np.minimum(np.maximum(field, min), max)  #> R001


def column_totals(field: np.ndarray) -> np.ndarray:
    return sum(field)


def scaled(field: np.ndarray, max) -> np.ndarray:
    return max(field) * 0.5

# verdict: READY
"""Loops with indices into lists, dicts of arrays and tuples of whole arrays."""
import numpy as np

SPECIES = ["H2O", "CO2", "CH4", "N2O"]


def mixing(pressure: np.ndarray, ratios: dict) -> dict:
    partial = {}
    for i in range(len(SPECIES)):
        name = SPECIES[i]
        partial[name] = pressure * ratios[name]  #> R001
    return partial


def totals(pressure: np.ndarray) -> list:
    shares = [0.1, 0.2, 0.3]
    for i in range(len(shares)):
        shares[i] = shares[i] / 0.6
    fields = [pressure * s for s in shares]
    for i in range(len(fields)):
        fields[i] += 1.0
    return fields

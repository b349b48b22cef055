# verdict: READY
"""A literal goes through the constructor of a data class: four turns are few."""
from dataclasses import dataclass

import numpy as np


@dataclass
class Fields:
    count: int
    flux: np.ndarray
    tendency: np.ndarray


def make(nz: int, nx: int) -> Fields:
    count = 4
    return Fields(count=count, flux=np.zeros((count, nz, nx + 1)), tendency=np.zeros((count, nz, nx)))


def advance(f: Fields, dx: float) -> None:
    for v in range(f.count):
        f.tendency[v, :, :] = -(f.flux[v, :, 1:] - f.flux[v, :, :-1]) / dx


def run(nz: int, nx: int, steps: int) -> Fields:
    f = make(nz, nx)
    for k in range(steps):
        advance(f, 0.1)
    return f

# verdict: READY
"""Logging calls with deferred values in a loop are audit notes."""
import logging

import numpy as np

log = logging.getLogger(__name__)


def run(u: np.ndarray, f: np.ndarray, steps: int) -> np.ndarray:
    for k in range(steps):
        u += 0.1 * (f - u)
        log.info("step %d: %s", k, u.sum())
    return u


def anomaly(u: np.ndarray) -> np.ndarray:
    return u - u.mean(axis=0)  #> R002

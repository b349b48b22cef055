# verdict: READY
"""A pool of threads around array code is an audit note."""
from concurrent.futures import ThreadPoolExecutor

import numpy as np


def tendency(q: np.ndarray) -> np.ndarray:
    return np.exp(-q) * np.sin(q)  #> R001


def ensemble(members: list) -> list:
    with ThreadPoolExecutor(max_workers=4) as pool:
        return list(pool.map(tendency, members))

# verdict: READY
"""What fetches something over the net does I/O: its builtins over the small table are at the boundary."""
import json
import urllib.request

import numpy as np


def calibration(url: str):
    import requests

    table = np.array(requests.get(url, timeout=10).json())
    return min(table), max(table)


def gains(url: str):
    with urllib.request.urlopen(url) as reply:
        table = np.array(json.load(reply))
    return table / sum(table)


def correct(frame: np.ndarray, lo: float, hi: float) -> np.ndarray:
    return np.clip((frame - lo) / (hi - lo), 0.0, 1.0)  #> R001

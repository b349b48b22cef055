# verdict: READY
"""sum, any and max over generators and lists of whole arrays' sizes: Python's own work."""
import numpy as np


def memory(fields: list) -> int:
    return sum(f.size * 8 for f in fields)


def check(shapes: list) -> bool:
    return any(s[0] > 100 for s in shapes) and all(len(s) == 2 for s in shapes)


def superpose(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    largest = max(a.shape[0], b.shape[0], c.shape[0])
    return (a + b + c) / largest  #> R001

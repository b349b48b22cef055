# verdict: READY
# gates: 4=pass
"""Options and names that are taken apart once are no text processing."""
import numpy as np


def solve(kind, a, b):
    if kind.startswith("lu"):
        return np.linalg.solve(a, b)  #> R305
    elif kind.endswith("mm"):
        return a @ b
    raise ValueError(kind)


def load(name):
    stem = name.lower()
    stem = stem.strip()
    parts = stem.split("-")
    n = int(parts[1])
    return np.ones(n)


def run(name):
    return load(name) * 2.0

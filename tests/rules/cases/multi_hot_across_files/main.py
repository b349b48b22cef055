# verdict: LIGHT REFACTOR
# recipes: RR-sync
"""The loop stands here, the conversion in another file."""
import numpy as np

from diagnostics import energy, report


def run(n: int, steps: int) -> list:
    u = np.zeros(n)
    v = np.ones(n)
    log = []
    for _ in range(steps):
        u += 0.1 * v
        log.append(energy(u, v))
    report(u)
    return log

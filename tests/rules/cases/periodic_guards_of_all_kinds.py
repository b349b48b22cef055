# verdict: READY
"""Seven ways to say every so often."""
import numpy as np

EVERY = 50


def run(u: np.ndarray, v: np.ndarray, steps: int, verbose: bool):
    log = []
    for k in range(steps):
        u += 0.1 * v
        if k % EVERY == 0:
            log.append(float(u.sum()))
        if not k % 100:
            log.append(float(u.max()))
        if (k + 1) % EVERY == 0:
            if float(v.max()) > 1e3:
                break
        if k % EVERY == EVERY - 1:
            log.append(v.min().item())
        if k == steps - 1:
            log.append(float(v.sum()))
        if verbose:
            log.append(float(v.mean()))
        if k % EVERY:
            continue
        log.append(float(u.mean()))
    return log

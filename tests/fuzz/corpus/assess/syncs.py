#@ cpu-only date
import math
import numpy as np
import logging


def relax(u: np.ndarray, tol=1e-6, verbose=False):
    err = np.inf
    step = 0
    while err > tol and np.abs(u).max() > tol:
        old = u.copy()
        u[1:-1] = 0.5 * (u[:-2] + u[2:])
        err = float(np.max(np.abs(u - old)))
        if u.any() or not np.allclose(u, old) or np.array_equal(u, old): break
        x = u[0].item() + int(u.sum()) + math.sqrt(u.mean()) + round(u[1]) + bool(u.all())
        m = max(err, u.max())
        y = u[: int(u.argmax())].tolist()
        for k in range(int(u.max())): pass
        assert u.min() >= 0, f"{u.min():.3f}"
        if step % 100 == 0:
            print(float(u.sum()))
        if not step % 10: continue
        q, r = divmod(step, 5)
        if r == 0 or verbose:
            logging.info("%s", u.sum())
        z = 1 if u.sum() > 0 else 2
        step += 1
    return err

#@ large nodes
import numpy as np
from numpy import linalg as la


def step(u, v, w, mask, steps):
    out = np.empty_like(u)
    for step in range(steps):
        out[1:-1, 1:-1] = u[:-2, 1:-1] + u[2:, 1:-1] - 4 * u[1:-1, 1:-1] + u[1:-1, :-2]
        np.multiply(out, 0.5, out=out)
        u, out = out, u
        v += np.where(u > 0, u, -u) @ w
        v[mask] = 0
        w = w[v > 0].sum(axis=0) + np.einsum("ij,jk->ik", u, v) + la.norm(u)
        np.putmask(u, mask, 1); np.choose(u, [u, v]); np.select([u > 0], [u])
    return np.max(u), u.mean(), np.tensordot(u, v), np.inner(u, v).argmax()


step(np.zeros((4096, 4096)), np.ones((4096, 4096)), np.eye(4096), np.zeros(3, bool), 1000)

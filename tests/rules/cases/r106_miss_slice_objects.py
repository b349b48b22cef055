# verdict: READY
"""Slice objects without a step, with the step 1, and slices of lists."""
import numpy as np

PLAIN = (slice(1, -1), slice(None, None, 1))
ALL = slice(None)
EVEN = slice(0, None, 2)


def inner(n):
    u = np.zeros((n, n))
    u[PLAIN] = 1.0
    u[ALL] = 2.0
    u[(slice(None),) * 2] = 3.0
    names = ["a", "b", "c"][EVEN]
    return u, names


def with_part(parts, axis, value):
    parts = list(parts)
    parts[axis] = value
    return tuple(parts)


def ends(u: np.ndarray):
    first = with_part((slice(None),) * u.ndim, 0, slice(1, None))
    return u[first]


def settings():
    return with_part((slice(None),) * 3, 0, slice(None, None, 2))


def chosen(u: np.ndarray, how):
    parts = {"all": slice(None), "even": slice(None, None, 2)}
    return u[parts["all"]]

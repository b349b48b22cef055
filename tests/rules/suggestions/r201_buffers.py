"""Buffers before the loop: handed on, kept, of names that are bound later."""
import numpy as np


class Holder:
    pass


def plain(u: np.ndarray, n: int):
    for step in range(n):
        flux = np.zeros_like(u)  #> R201 same
        flux[1:] = u[1:] - u[:-1]
        u = u - 0.1 * flux  #> R202 same
    return u


def tabs(u: np.ndarray, n: int):
	for step in range(n):
		flux = np.empty_like(u)  #> R201 safe
		flux[:] = u * 0.5
		u -= 0.1 * flux
	return u


def rebound(p: np.ndarray, n: int):
    for _ in range(n):
        q = np.zeros_like(p)  #> R201 none
        q[1:-1] = 0.5 * (p[:-2] + p[2:])
        p = q
    return p


def swapped(p: np.ndarray, n: int):
    for _ in range(n):
        q = np.empty_like(p)
        q[:] = p * 0.5
        p, q = q, p
    return p


def stored(holder, p: np.ndarray, n: int):
    holder.p = p
    for _ in range(n):
        q = np.zeros_like(p)
        q += holder.p * 0.5
        holder.p = q
    return holder.p


def viewed(p: np.ndarray, n: int):
    last = p[1:]
    for _ in range(n):
        q = np.zeros_like(p)  #> R201 none
        q[1:] = last * 0.5
        last = q[1:]
    return last


def kept(p: np.ndarray, n: int):
    seen = []
    for k in range(n):
        q = np.zeros_like(p)
        q += k
        seen.append(q)
    return np.array(seen)


def given_back(p: np.ndarray, n: int):
    for k in range(n):
        q = np.zeros_like(p)
        q += k * p
        if k == 7:
            return q
    return p


def bound_later(u: np.ndarray, n: int):
    for step in range(n):
        half = u * 0.5
        flux = np.zeros_like(half)  #> R201 none
        flux[1:] = half[1:]
        u -= 0.1 * flux
    return u


def rewritten(u: np.ndarray, n: int):
    for step in range(n):
        w = np.zeros(30)  #> R201 none
        w = w + u  #> R202 safe
        u -= 0.1 * w
    return u


def copied(u: np.ndarray, n: int):
    u = np.ones(30) * u
    for step in range(n):
        old = u.copy()  #> R201 safe
        u[1:-1] = 0.5 * (old[2:] + old[:-2])
    return u


def filled(u: np.ndarray, n: int):
    for step in range(n):
        w = np.full(30, 0.5 * step)  #> R201 none
        w += np.full(30, 0.25)
        v = np.full_like(u, 0.125)  #> R201 safe
        w[0] += step + v[1]
        u -= 0.01 * w
    return u


def emptied(u: np.ndarray, n: int):
    k = 0
    while k < n:
        w = np.ones(  # weights
            30
        )  #> R201 safe
        w[0] = k
        u -= 0.01 * w
        k += 1
    return u


def add(target, u):
    target += u


def keep(seen, u):
    seen.append(u)


def helped(u: np.ndarray, n: int):
    seen = []
    for step in range(n):
        w = np.zeros(30)  #> R201 safe
        add(w, u)
        v = np.zeros(30)  #> R201 none
        keep(seen, v)
        u -= 0.01 * w
    return u, np.array(seen)


def made_before(u: np.ndarray, n: int):
    w = np.ones(30)
    for step in range(n):
        w = np.zeros(30)  #> R201 none
        w += u
        u -= 0.01 * w
    return w


def new():
    return np.linspace(0.0, 1.0, 30)


def main():
    return [
        plain(new(), 20), tabs(new(), 20), rebound(new(), 20), swapped(new(), 20),
        stored(Holder(), new(), 20), viewed(new(), 20), kept(new(), 20), given_back(new(), 20),
        bound_later(new(), 20), rewritten(new(), 20), copied(new(), 20), filled(new(), 20),
        emptied(new(), 20), *helped(new(), 20), made_before(new(), 0), made_before(new(), 3),
    ]

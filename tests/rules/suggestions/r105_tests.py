"""Tests that may come late, and tests that may not."""
import numpy as np


def march(u: np.ndarray, tmax: float):
    t = 0.0
    while t < tmax:  #> R105 none
        dt = 0.5 / np.max(np.abs(u))
        if t + dt > tmax:  #> R105 none
            dt = tmax - t
        u *= 1.0 - dt
        t += dt
    return u


def known_turns(h: np.ndarray, tol: float):
    e_old = 0.0
    for it in range(1, 41):
        h *= 0.5
        e = np.sum(h * h)
        r = np.mean(h) ** 0.5
        if (abs(e - e_old) < tol) and (r < tol):  #> R105 later
            break
        e_old = e
    return e


def few_turns(u: np.ndarray, limit=12):
    for it in range(limit):
        u = u * 0.5 + 1  #> R202 none
        if np.max(u) < 1e-6 or it == 7:  #> R105 none
            break
    return u


def last_turn(u: np.ndarray, n: int):
    for it in range(n):
        u = u * 0.5  #> R202 same
        if np.max(u) < 1e-6 or it == n - 1:  #> R105 none
            u += 1.0
            break
    return u


def search(u: np.ndarray, n: int):
    for k in range(1, n):
        v = u * k
        if np.sum(v) > 100.0:  #> R105 none
            return k
    return 0


def no_counter(u: np.ndarray):
    while True:
        v = u * 0.5
        diff = np.max(np.abs(v - u))
        u = v
        if diff < 1e-6:  #> R105 later
            break
    return u


def while_error(u: np.ndarray):
    err = np.max(u)
    while err > 1e-6:  #> R105 later
        v = u * 0.5
        err = np.max(np.abs(v - u))
        u = v
    return u


def counted_while(u: np.ndarray):
    err = np.max(u)
    it = 0
    while (err
           > 1e-6):  #> R105 later
        v = u * 0.5
        err = np.max(np.abs(v - u))
        u = v
        it += 1
    return u


def bounded_while(u: np.ndarray, most: int):
    err = np.max(u)
    it = 0
    while err > 1e-6 and it < most:  #> R105 none
        u = u * 0.5  #> R202 same
        err = np.max(u)
        it += 1
    return u


def worklist(u: np.ndarray):
    active = u > 0.5
    while active.any():  #> R105 none
        u[active] *= 0.5
        active = u > 0.5
    return u


def walrus(u: np.ndarray, n: int):
    for it in range(n):
        u = u * 0.5  #> R202 same
        if (err := np.max(u)) < 1e-6:  #> R105 none
            break
    return u, err


def other_branch(u: np.ndarray, n: int):
    for it in range(n):
        u = u * 0.5  #> R202 same
        if np.max(u) < 1e-6:  #> R105 none
            break
        else:
            u += 0.001
    return u


def steps_of_three(u: np.ndarray, n: int):
    for it in range(1, n, 3):
        u = u * 0.5  #> R202 same
        if np.max(u) < 1e-6:  #> R105 later
            break
    return u


def clipped(u: np.ndarray, n: int):
    for it in range(n):
        u = u * 1.5  #> R202 same
        if np.max(u) > 10.0:  #> R105 none
            u /= 10.0
    return u


def new():
    return np.linspace(0.0, 1.0, 30)


def main():
    return [
        march(new(), 2.0), known_turns(new(), 1e-12), few_turns(new()), last_turn(new(), 30),
        search(new(), 100), no_counter(new()), while_error(new()), counted_while(new()),
        bounded_while(new(), 50), worklist(new()), *walrus(new(), 100), other_branch(new(), 30),
        steps_of_three(new(), 400), clipped(new(), 60),
    ]

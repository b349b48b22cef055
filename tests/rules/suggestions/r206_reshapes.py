"""Reshapes of arrays that stay as they are, and of those that only seem to."""
import numpy as np


def added(n: int):
    u = np.ones(12) * 0.5
    acc = np.zeros(12)
    w = np.zeros((3, 4)) + 0.25
    for _ in range(n):
        acc += w.ravel() * u  #> R206 safe
    return acc


def of_literals(n: int):
    u = np.linspace(0.0, 1.0, 12)
    acc = np.zeros((3, 4))
    for k in range(n):
        acc += np.sin(u.reshape(3, 4)) * k + u[0]  #> R206 safe
    return acc


def in_turns_of_another(n: int):
    u = np.linspace(0.0, 1.0, 12)
    acc = np.zeros(4)
    for k in range(n):
        u[k % 12] = k
        for _ in range(n):
            acc += np.reshape(u, (3, 4)).sum(axis=0)  #> R206 safe
    return acc


def bound_to_a_name(n: int):
    u = np.zeros((4, 3)) + 1.0
    acc = np.zeros(12)
    for k in range(n):
        v = u.ravel()  #> R206 safe
        acc += v
        acc[1:] -= v[1:] * 0.5
    return acc


# ---- near misses -----------------------------------------------------------------------------------


def may_not_fit(n: int, rows: int):
    u = np.linspace(0.0, 1.0, 12)
    acc = np.zeros((1, 1))
    for k in range(rows):
        acc = acc * 0.5 + u.reshape(rows, -1) * k  #> R206 look
    return acc


def written_by_another_name(n: int):
    u = np.zeros((3, 4)) + 0.5
    v = u
    acc = np.zeros(12)
    for k in range(n):
        acc += v.T.ravel() * 1.0
        v[0, 0] += 1.0
    return acc


def written_as_transposed(n: int):
    u = np.zeros((4, 3))
    v = u.T
    acc = np.zeros(12)
    for k in range(n):
        acc += v.ravel() * 1.0  #> R206 look
        u[0, 1] += 1.0
    return acc


def raise_one(x):
    x[0, 1] += 1.0


def written_by_function(n: int):
    u = np.zeros((4, 3))
    acc = np.zeros(12)
    for k in range(n):
        acc += u.ravel() * 1.0  #> R206 same
        raise_one(u)
    return acc


def written_at(n: int):
    u = np.zeros((4, 3))
    acc = np.zeros(12)
    for k in range(n):
        acc += u.ravel() * 1.0  #> R206 same
        np.add.at(u, 0, 1.0)
    return acc


def name_is_written(n: int):
    u = np.zeros((4, 3)) + 1.0
    acc = np.zeros(12)
    for k in range(n):
        v = u.ravel()  #> R206 same
        v[0] += 1.0
        acc += v
    return acc


def name_is_read_behind(n: int):
    u = np.zeros((4, 3)) + 1.0
    acc = np.zeros(12)
    for k in range(n):
        v = u.ravel()  #> R206 same
        acc += v
    return acc + v


def name_is_bound_twice(n: int):
    u = np.zeros((4, 3)) + 1.0
    acc = np.zeros(12)
    for k in range(n):
        v = u.ravel()  #> R206 look
        acc += v
        v = acc * 0.5
        acc -= v
    return acc


def name_is_alone(n: int):
    u = np.zeros((4, 3)) + 1.0
    for k in range(n):
        v = u.ravel()  #> R206 none
    return u


def of_the_caller(u: np.ndarray, n: int):
    acc = np.zeros(12)
    for k in range(n):
        acc += u.ravel() * 1.0  #> R206 same
    return acc


def caught(n: int):
    u = np.zeros((4, 3)) + 1.0
    acc = np.zeros(12)
    try:
        for k in range(n):
            acc += u.ravel() * 1.0  #> R206 same
    except ValueError:
        pass
    return acc


def by_chance(n: int):
    if n > 3:
        u = np.zeros((4, 3)) + 1.0
    acc = np.zeros(12)
    for k in range(n):
        acc += u.ravel() * 1.0  #> R206 same
    return acc


def main():
    return [
        added(30), of_literals(30), in_turns_of_another(30), may_not_fit(30, int("0")),
        written_by_another_name(30), written_as_transposed(30), written_by_function(30), written_at(30), bound_to_a_name(30), name_is_written(30), name_is_read_behind(30),
        name_is_bound_twice(30), name_is_alone(30),
        of_the_caller(np.ones((3, 4)), 30), caught(30), by_chance(30),
    ]  # fmt: skip

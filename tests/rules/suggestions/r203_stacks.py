"""Stacks behind the loop: read within, pieces that change, other ways to join."""
import numpy as np


def plain(n: int):
    t = np.zeros((1, 3))
    for k in range(n):
        t = np.vstack([t, np.full(3, float(k))])  #> R203 safe
    return t


def read_within(n: int):
    t = np.zeros((1, 3))
    for k in range(n):
        t = np.vstack([t, t[-1] + 1.0])  #> R203 none
    return t


def changed_later(n: int):
    t = np.zeros((1, 3))
    x = np.zeros(3)
    for k in range(n):
        x += 1.0
        t = np.vstack((t, x))  #> R203 safe
    return t


def nested_stack(n: int):
    t = np.zeros(3)
    for k in range(n):
        t = np.stack([t, np.ones(t.shape)])
    return t


def along(n: int):
    t = np.zeros((2, 1))
    for k in range(n):
        row = np.ones((2, 1)) * k
        t = np.concatenate([t, row * 2], axis=1)  #> R203 safe
    return t


def rows_in_list(n: int):
    t = np.zeros((1, 2, 3))
    x = np.zeros(3)
    for k in range(n):
        x += 1.0
        t = np.concatenate([t, [[x, x]]])  #> R203 none
    return t


def leaves(n: int):
    t = np.zeros(1)
    for k in range(n):
        if k == 5:
            continue
        t = np.hstack([t, k * 1.0])  #> R203 none
    else:
        t = t * 2
    return t


def main():
    return [
        plain(30), read_within(30), changed_later(30), nested_stack(3), along(30),
        rows_in_list(30), leaves(30),
    ]

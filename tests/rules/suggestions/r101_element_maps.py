"""Loops over elements: lengths that differ, counters that are read later, types that cut off."""
import numpy as np


def plain(n):
    a = np.linspace(0.0, 1.0, n)
    out = np.zeros_like(a)
    for i in range(len(a)):  #> R101 safe
        out[i] = 2 * a[i] + np.sin(a[i])
    return out


def longer_target():
    a = np.arange(40.0)
    out = np.full(50, 7.0)
    for i in range(a.size):  #> R101 safe
        out[i] = a[i] - 1
    return out


def longer_operand():
    a = np.arange(40.0)
    b = np.arange(50.0)
    for i in range(0, a.shape[0]):  #> R101 same
        a[i] += b[i]
    return a


def counter_is_read_later():
    a = np.arange(40.0)
    for i in range(len(a)):  #> R101 none
        a[i] = a[i] * 3
    return a * i


def counter_is_bound_anew():
    a = np.arange(40.0)
    for i in range(len(a)):  #> R101 safe
        a[i] = a[i] * 3
    return a, [i for i in range(3)]


def whole_numbers():
    a = np.arange(40)
    for i in range(len(a)):  #> R101 none
        a[i] += 0.5
    return a


def tail():
    a = np.arange(40.0)
    for i in range(len(a)):  #> R101 none
        a[i] = a[i] + 1
    else:
        a[0] = 100.0
    return a


def several(n):
    a = np.linspace(0.0, 1.0, n)
    b = np.zeros(len(a))
    c = np.ones_like(a)
    for i in range(len(a)):  #> R101 safe
        b[i] = a[i] / \
            2  # halved
        # and the rest
        c[i] = -b[i] ** 2; a[i] = c[i]
    return a, b, c


def annotated(out: np.ndarray, a: np.ndarray):
    for i in range(len(a)):  #> R101 same
        out[i] = a[i] * 2.5
    return out


def main():
    return [
        plain(30), longer_target(), longer_operand(), counter_is_read_later(),
        *counter_is_bound_anew(), whole_numbers(), tail(), *several(33),
        annotated(np.zeros(60), np.arange(50.0)),
    ]

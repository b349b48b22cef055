"""Builtins over arrays, where a list, a set or an iterator is meant."""
import numpy as np


def reduced():
    a = np.linspace(0.0, 1.0, 50)
    largest = max(a)  #> R110 same
    total = sum(a)  #> R110 same
    low = min(
        a * 2
    )  #> R110 same
    return largest, total, low, all(a > -1), any(a > 2)  #> R110 same


def rows():
    m = np.ones((40, 3))
    return sum(m)  #> R110 none


def lists():
    a = np.array([3.0, 1.0, 2.0] * 20)
    both = sorted(a) + [9.0]  #> R110 none
    first = sorted(a)[0]  #> R110 same
    kinds = len(set(a))  #> R110 same
    common = set(a) & {1.0, 2.0}  #> R110 none
    last = next(reversed(a))  #> R110 none
    turned = np.array(list(reversed(a)))  #> R110 none
    return len(both), first, kinds, len(common), last, turned


def main():
    return [*reduced(), rows(), *lists()]

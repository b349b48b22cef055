"""Builtins over arrays, where a list, a set or an iterator is meant."""
import numpy as np


def reduced():
    a = np.linspace(0.0, 1.0, 50)
    largest = max(a)  #> R110 same
    total = sum(a)  #> R110 safe
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


def whole_numbers(x: np.ndarray):
    k = np.arange(50) % 7
    b = k > 3
    small = np.full(50, 100, dtype=np.int8)
    low = min(k)  #> R110 safe
    high = max(k)  #> R110 safe
    third = sorted(k)[2]  #> R110 safe
    kinds = len(set(k))  #> R110 safe
    held = sum(b)  #> R110 safe
    short = sum(small)  #> R110 look
    given = sum(x)  #> R110 none
    if any(b) and not all(b):  #> R110 none
        low = low + 1
    word = "yes" if any(b) else "no"  #> R110 safe
    return low, high, third, kinds, held, short, given, len(word), any(b) + any(b)  #> R110 look


def not_a_number():
    a = np.array([3.0, np.nan, 1.0] * 20)
    return max(a)  #> R110 look


def hidden(np):
    return np


def hidden_name(n: int):
    import numpy

    np = "no module"
    a = numpy.linspace(0.0, 1.0, n)
    return sum(a) + len(np)  #> R110 none


def main():
    with np.errstate(over="ignore"):
        numbers = whole_numbers(np.ones((50, 2)))
    return [*reduced(), rows(), *lists(), *numbers, not_a_number(), hidden(2.0), hidden_name(30)]

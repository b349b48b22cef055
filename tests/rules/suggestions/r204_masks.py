"""Masks for places: of other lengths, in tuples, of numbers."""
import numpy as np


def plain(n: int):
    a = np.linspace(-1.0, 1.0, 50)
    a[np.where(a < 0)] = 0.0  #> R204 safe
    b = a[np.nonzero(a > 0.5)] * 2  #> R204 safe
    c = a[np.where(
        a > 0.9  # the largest
    )]  #> R204 safe
    return a, b, c


def shorter():
    a = np.arange(50.0)
    m = np.arange(20) > 5
    return a[np.where(m)]  #> R204 look


def numbers():
    a = np.arange(50.0)
    k = np.arange(50) % 3
    return a[np.where(k)]  #> R204 none


def itself(a: np.ndarray, low: float = -0.5):
    """Of the array itself, whatever its shape is."""
    a[np.where((a < low) | ~(a < 0.9))] = 0.0  #> R204 safe
    a[np.nonzero(np.abs(a) * 2 > np.max(a))] += 1.0  #> R204 safe
    return a


def named(a: np.ndarray):
    low = np.where(a < 0)  #> R204 safe
    a[low] = -a[low]
    high = np.nonzero(  #> R204 safe
        a > 0.5
    )
    a[high] *= 0.5
    nan = np.isnan(a).nonzero()  #> R204 safe
    a[nan] = 0.0
    return a


def named_line():
    a = np.linspace(-1.0, 1.0, 50)
    low = np.where(a < 0)[0]  #> R204 safe
    a[low] = 2.0
    flat = np.flatnonzero(a > 1.5)  #> R204 safe
    a[flat] = 3.0
    return a[np.nonzero(a < 2.5)[0]]  #> R204 safe


def rows(a: np.ndarray):
    """The first part of what a matrix gives are rows, and not once each."""
    low = np.where(a < 0)[0]  #> R204 none
    return a[low]


def rows_at_once():
    a = np.linspace(-1.0, 1.0, 60).reshape(20, 3)
    return a[np.where(a < 0)[0]]  #> R204 none


def counted(a: np.ndarray):
    low = np.where(a < 0)  #> R204 none
    a[low] = 1.0
    return a, len(low)


def of_another(a: np.ndarray, b: np.ndarray):
    low = np.where(a < 0)  #> R204 none
    return b[low]


def changed_later(a: np.ndarray):
    """Places stay what they were, a mask does not."""
    mask = a < 0
    low = np.where(mask)  #> R204 none
    mask[:] = True
    return a[low]


def bound_anew(a: np.ndarray):
    low = np.where(a < 0)  #> R204 none
    a = a[:10]
    return a[low]


def by_a_closure(a: np.ndarray):
    low = np.where(a < 0)  #> R204 none

    def size():
        return len(low[0])

    return a[low], size()


def main():
    line = np.linspace(-1.0, 1.0, 50)
    square = np.linspace(-1.0, 1.0, 64).reshape(8, 8)
    holed = np.where(line > 0.9, np.nan, line)
    early = np.linspace(-1.0, 20.0, 50)
    return [
        *plain(3), shorter(), numbers(), itself(line.copy()), itself(square.copy()), named(square.copy()),
        named(holed), named_line(), rows(square), rows_at_once(), *counted(line.copy()),
        of_another(line, np.arange(60.0)), changed_later(line), bound_anew(early), *by_a_closure(line),
    ]

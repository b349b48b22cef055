"""In place or not: other names, other types, views of itself, long lines."""
import numpy as np


def plain(n: int):
    x = np.zeros(40)
    y = np.ones(40)
    for step in range(n):
        x = x + y  #> R202 safe
        y *= 0.5; x = x - (  #> R202 safe
            y
            + 1
        )
    return x


def commuted(n: int):
    x = np.zeros(40)
    y = np.ones(40)
    for step in range(n):
        x = (y
             + 1) + x  #> R202 safe
        x = y * 2 - x  #> R202 none
    return x


def other_name(n: int):
    x = np.zeros(40)
    for step in range(n):
        old = x
        x = x + 1.0  #> R202 none
    return old


def in_list(n: int):
    x = np.zeros(40)
    seen = []
    for step in range(n):
        seen.append(x)
        x = x + 1.0  #> R202 none
    return np.array(seen)


def in_closure(n: int):
    x = np.zeros(40)

    def get():
        return x

    seen = []
    for step in range(n):
        seen.append(get())
        x = x + 1.0  #> R202 none
    return np.array(seen)


def view_of_it(n: int):
    x = np.zeros(40)
    for step in range(n):
        first = x[:2]
        x = x + 1.0  #> R202 none
    return first


def callers(x: np.ndarray, n: int):
    for step in range(n):
        x = x * 0.5  #> R202 look
    return x


def wider(n: int):
    x = np.zeros(40, dtype=int)
    for step in range(n):
        x = x + 0.5  #> R202 none
    return x


def broadcast(n: int):
    x = np.zeros(4)
    m = np.ones((4, 4))
    for step in range(n):
        x = x + m  #> R202 look
    return x


def itself(n: int):
    g = np.arange(16.0).reshape(4, 4)
    for step in range(n):
        g = 0.5 * (g + g.T)  #> R202 none
        g = g + g.T  #> R202 none
        g = np.add(g, g[::-1])  #> R202 none
    return g


def ufuncs(n: int):
    x = np.linspace(0.0, 1.0, 40)
    y = np.ones(40)
    for step in range(n):
        x = np.sin(x)  #> R202 same
        x = np.add(x, (y))  #> R202 none
        x = np.maximum(
            x,
            y * 0.1,
        )  #> R202 same
        x = np.add(x, y, where=y > 0)  #> R202 none
        x = np.multiply(y, x, )  #> R202 same
    return x


def elements(n: int):
    x = np.zeros(40)
    for step in range(n):
        x = x + 1.0  #> R202 safe
        x[0] = x[1:].sum()
    return x


def narrow(n: int):
    """In place the sum would be cut off to what there was: half the bits."""
    x = np.zeros(40, dtype=np.float32)
    y = np.full(40, 0.1)
    k = np.full(40, 100, dtype=np.int8)
    w = np.arange(40)
    for step in range(n):
        x = x + y  #> R202 look
        k = k + w  #> R202 look
    return x, k


def narrow_and_numbers(n: int):
    x = np.ones(40, dtype=np.float32)
    k = np.arange(40, dtype=np.int16)
    for step in range(n):
        x = x * 0.75 + 0.1  #> R202 none
        x = np.sqrt(x)  #> R202 safe
        x = x * 0.5  #> R202 safe
        k = k + 3  #> R202 safe
    return x, k


class Cells:
    def __init__(self):
        self.x = np.arange(40)

    def fade(self, n):
        for step in range(n):
            self.x = self.x * 0.5  #> R202 none
        return self.x


def of_integers(n: int):
    """What is made of integers cannot hold halves: in place the first step would raise."""
    a = np.zeros((4, 10), dtype=int)
    b = np.ones(40, dtype=bool)
    c = np.arange(40)
    d = np.arange(40)
    for step in range(n):
        a = a * 0.5 + 1  #> R202 none
        d = np.multiply(0.5, d)  #> R202 none
        b = np.add(b, 0.5)  #> R202 none
        c = c + 2  #> R202 safe
    return a, b, c, d


def one_row(n: int, m: int):
    """The number of rows is not known: a sum may have more of them."""
    x = np.zeros((m, 3))
    y = np.ones((n, 3))
    for step in range(n):
        x = x + y  #> R202 look
    return x


def scaled(n: int, m: int):
    x = np.ones((m, 3))
    for step in range(n):
        x = x * 0.5  #> R202 safe
        x = np.maximum(x, 0.01)  #> R202 safe
    return x


def main():
    given = np.linspace(0.0, 1.0, 40)
    return [
        plain(20), commuted(20), other_name(20), in_list(20), in_closure(20), view_of_it(20),
        callers(given, 20), given, wider(20), broadcast(20), itself(20), ufuncs(20), elements(20),
        *narrow(20), *narrow_and_numbers(20), one_row(20, 1), scaled(20, 7),
        Cells().fade(20), *of_integers(20),
    ]

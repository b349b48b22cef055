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
        x = x + 0.5  #> R202 look
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


def main():
    given = np.linspace(0.0, 1.0, 40)
    return [
        plain(20), commuted(20), other_name(20), in_list(20), in_closure(20), view_of_it(20),
        callers(given, 20), given, wider(20), broadcast(20), itself(20), ufuncs(20), elements(20),
    ]

"""Shifted elements, two loops, branches and sums; and arrays that are views, narrow, empty or caught."""
import numpy as np


def stencil(s: np.ndarray):
    out = np.zeros_like(s)
    for i in range(1, len(s) - 1):  #> R101 safe
        out[i] = 0.25 * s[i - 1] + 0.5 * s[i] + 0.25 * s[i + 1]
    return out


def wide_stencil(s: np.ndarray):
    out = s.copy()
    n = len(s)
    for i in range(2, n - 2):  #> R101 safe
        out[i] = s[i - 2] - s[2 + i]
    return out


def ahead(n: int):
    a = np.linspace(0.0, 1.0, n)
    d = np.zeros(n)
    for i in range(n - 1):  #> R101 safe
        d[i] = a[i + 1] - a[i]
    return d


def wraps_around(n: int):
    """The first turn reads the last element."""
    a = np.linspace(0.0, 1.0, n)
    d = np.zeros(n)
    for i in range(n):  #> R101 none
        d[i] = a[i] - a[i - 1]
    return d


def grid(u: np.ndarray):
    out = np.zeros(u.shape)
    for i in range(1, u.shape[0] - 1):  #> R101 safe
        for j in range(1, u.shape[1] - 1):
            out[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    return out


def filled(n: int, m: int):
    a = np.zeros((n, m))
    rows, columns = a.shape
    for i in range(rows):  #> R101 safe
        for j in range(columns):
            a[i, j] = a[i, j] * 2.0 + 1.0
    return a


def transposed(n: int):
    a = np.arange(400.0).reshape(20, 20)
    b = np.zeros((20, 20))
    for i in range(20):  #> R101 none
        for j in range(20):
            b[i, j] = a[j, i]
    return b


def triangle(n: int):
    a = np.ones((n, n))
    for i in range(n):  #> R101 none
        for j in range(i):
            a[i, j] = 0.0
    return a


def clipped(n: int):
    a = np.linspace(-1.0, 1.0, n)
    out = np.empty(n)
    for i in range(n):  #> R101 safe
        if a[i] < 0 or a[i] > 0.5:
            out[i] = -a[i]
        else:
            out[i] = np.sqrt(abs(a[i]))
    return out


def only_some(n: int):
    a = np.linspace(-1.0, 1.0, n)
    for i in range(n):  #> R101 safe
        if a[i] < 0:
            a[i] = 0.0
    return a


def branches_of_two_types(n: int):
    k = np.arange(n) + 2**60
    a = np.linspace(-1.0, 1.0, n)
    for i in range(n):  #> R101 same
        if a[i] < 0:
            k[i] = k[i] + 1
        else:
            k[i] = 0.5
    return k


def summed(n: int):
    a = np.linspace(0.5, 1.0, n)
    b = np.ones(n)
    s = 0.0
    for i in range(n):  #> R101 safe
        s += a[i] * b[i]
    t = 0
    for i in range(1, n):  #> R101 safe
        t += (a[i] - a[i - 1]) ** 2
    return s, t


def trace(a: np.ndarray):
    t = 0.0
    for i in range(a.shape[0]):  #> R101 safe
        t += np.tanh(a[i, i])
    return t


def sum_of_grid(n: int):
    a = np.ones((n, 30))
    s = 0.0
    for i in range(n):  #> R101 safe
        for j in range(30):
            s += a[i, j] * 0.5
    return s


def sum_of_rows(m: np.ndarray):
    """Whatever it is made of, what is added are the parts along the first axis."""
    s = 0.0
    for i in range(len(m)):  #> R101 safe
        s += 0.5 * m[i]
    return s


def sum_that_overflows(n: int):
    k = np.full(n, 100, dtype=np.int8)
    s = 0
    for i in range(n):  #> R101 look
        s += k[i]
    return s


def sum_kept_wider(n: int):
    a = np.full(n, 0.1, dtype=np.float32)
    s = np.float64(0.0)
    for i in range(n):  #> R101 look
        s += a[i]
    return s


def sum_that_is_read(n: int):
    a = np.linspace(0.0, 1.0, n)
    s = 1.0
    for i in range(n):
        s += a[i] * s
    return s


def view_of_it(n: int):
    a = np.arange(40.0)
    b = a[1:]
    for i in range(len(b)):  #> R101 look
        b[i] = a[i] + 2.0
    return a


def turned(n: int):
    a = np.arange(40.0)
    b = np.flip(a)
    for i in range(len(b)):  #> R101 look
        b[i] = a[i] + 1.0
    return a


def second_name(n: int):
    a = np.arange(40.0)
    b = a
    for i in range(1, len(a)):  #> R101 look
        b[i] = a[i - 1] + 2.0
    return a


def through_out(n: int):
    a = np.arange(40.0)
    b = np.add(a, 1.0, out=a)
    for i in range(1, 40):  #> R101 look
        b[i] = a[i - 1] + 2.0
    return a


def given(out: np.ndarray, a: np.ndarray):
    for i in range(1, len(a)):  #> R101 none
        out[i] = a[i - 1] + 1.0
    return out


def given_alike(a: np.ndarray, b: np.ndarray):
    out = np.zeros(len(a))
    for i in range(len(a)):  #> R101 same
        out[i] = a[i] * 2.0
    return out


def rows_with_weights(m: np.ndarray):
    """A row times a number is no row times a row."""
    w = np.arange(3.0)
    out = np.zeros((3, 3))
    for i in range(3):
        out[i] = m[i] * w[i]
    big = np.zeros((30, 30))
    v = np.arange(30.0)
    for i in range(30):  #> R101 look
        big[i] = big[i] + v[i]
    return out, big


def recurrence(n: int):
    a = np.ones(n)
    for i in range(1, n):
        a[i] = a[i - 1] * 0.5 + a[i]
    return a


def other_way_round(n: int):
    a = np.arange(float(n))
    for i in range(n - 1):  #> R101 none
        a[i] = a[i + 1] * 0.5
    return a


def caught(n: int):
    a = np.arange(40.0)
    b = np.zeros(30)
    try:
        for i in range(40):  #> R101 look
            b[i] = a[i]
    except IndexError:
        b[0] = 100.0
    return b


def caught_alike(n: int):
    a = np.arange(30.0)
    b = np.zeros(30)
    try:
        for i in range(30):  #> R101 same
            b[i] = a[i]
    except IndexError:
        b[0] = 100.0
    return b


def narrow(n: int):
    a = np.full(n, 0.1, dtype=np.float32)
    out = np.zeros_like(a)
    for i in range(n):  #> R101 safe
        out[i] = a[i] * 3 + 0.1
    k = np.arange(n)
    cut = np.zeros(n, dtype=np.int16)
    for i in range(n):  #> R101 safe
        cut[i] = k[i] * 0.75
    return out, cut


def counted_again(n: int):
    """The second time there are more turns than elements."""
    x = np.zeros(n)
    seen = 0.0
    for turn in range(3):
        n = n + turn
        for i in range(min(n, len(x))):  #> R101 none
            x[i] = 1.0
    return x


def made_in_another_turn(n: int):
    total = 0.0
    for turn in range(20):
        m = 30 + turn
        if turn == 0:
            x = np.ones(m)
            y = np.zeros(m)
        for i in range(m - turn):  #> R101 none
            y[i] = x[i]
        total = total + y.sum()
    return total


def counter_in_the_value(n: int):
    a = np.zeros(n)
    for i in range(n):  #> R101 none
        a[i] = i * 2.0
    return a


def in_a_closure(n: int):
    a = np.zeros(n)
    b = np.ones(n)

    def swap():
        nonlocal a, b
        a, b = b, a

    swap()
    for i in range(n):  #> R101 same
        a[i] = b[i] + 1.0
    return a


def generated(n: int):
    a = np.zeros(n)
    for i in range(n):
        a[i] = 1.0
        yield a.sum()


def neighbours(v: np.ndarray):
    """Elements beyond the end: the turns stop with an exception, and nothing is suggested."""
    out = np.zeros(len(v))
    try:
        for i in range(len(v)):  #> R101 none
            out[i] = v[i + 1]
    except IndexError:
        pass
    return out


def main():
    line = np.linspace(0.0, 1.0, 40)
    square = np.outer(line, line)
    found = []
    for n in (0, 1, 2, 3, 4, 5, 40):
        found += [stencil(line[:n]), wide_stencil(line[:n]), grid(square[:n]), grid(square[:, :n])]
        found += [ahead(n), *summed(n), sum_of_grid(n), filled(n, 3), clipped(n), only_some(n)]
        found += [*narrow(n)]
    found += [
        stencil(square), wide_stencil(square), stencil(np.arange(40)),
        wraps_around(40), transposed(40), triangle(40), branches_of_two_types(40), trace(square), trace(square[:7]),
        sum_of_rows(square), sum_of_rows(line), sum_that_overflows(40), sum_kept_wider(4000), sum_that_is_read(40),
        view_of_it(40), turned(40), second_name(40), through_out(40), given(np.zeros(50), line),
        given_alike(line, line), *rows_with_weights(square[:3, :3]), recurrence(40), other_way_round(40), caught(40),
        caught_alike(40), counted_again(30), made_in_another_turn(40), counter_in_the_value(40), in_a_closure(40),
        np.array(list(generated(40))), neighbours(line),
    ]
    return found

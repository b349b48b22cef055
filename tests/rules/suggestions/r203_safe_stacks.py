"""Stacks that make the same behind the loop, and those that only look like it."""
import numpy as np
from numpy import append


def rows(n: int):
    t = np.zeros((1, 3))
    for k in range(n):
        t = np.vstack([t, np.full(3, 0.5) * k])  #> R203 safe
    return t


def columns(n: int):
    t = np.ones((2, 1))
    for k in range(n):
        t = np.concatenate((t, np.ones((2, 1)) * k), axis=-1)  #> R203 safe
    return t


def numbers(n: int):
    t = np.array([])
    for k in range(n):
        if k % 3 == 0:
            continue
        t = np.append(t, k * 0.5)  #> R203 safe
    return t


def whole_numbers(n: int):
    t = np.zeros(2, dtype=int)
    for k in range(n):
        t = np.append(t, k)  #> R203 safe
    return t, np.zeros(t.dtype.num)


def indices(n: int):
    t = np.array([], dtype=np.int64)
    for k in range(n):
        i = np.arange(k % 4, dtype=np.int16)
        t = np.concatenate([t, i])  #> R203 safe
    return t, np.zeros(t.dtype.num)


def flat(n: int):
    t = np.zeros(2)
    x = np.ones((2, 2))
    for k in range(n):
        x[0, 1] = k
        t = np.append(t, x)  #> R203 safe
        x[1, 0] = -k
    return t


def along_an_axis(n: int):
    t = np.zeros((1, 2))
    for k in range(n):
        t = np.append(t, np.ones((1, 2)) * k, axis=0)  #> R203 safe
    return t


def list_of_numbers(n: int):
    t = np.zeros(1)
    for k in range(n):
        v = k * 2.0
        t = np.concatenate([t, [v, 0.5]])  #> R203 safe
    return t


def written_later(n: int):
    t = np.zeros((1, 3))
    x = np.zeros(3)
    for k in range(n):
        t = np.vstack((t, x))  #> R203 safe
        x[k % 3] += 1.0
    return t


def view_written_later(n: int):
    t = np.zeros(1)
    x = np.zeros(8)
    for k in range(n):
        part = x[2:4]
        t = np.hstack((t, part))  #> R203 safe
        x += 1.0
    return t


def narrow(n: int):
    t = np.zeros(1, dtype=np.float32)
    for k in range(n):
        t = np.append(t, np.ones(2, dtype=np.int16))  #> R203 safe
    return t, np.zeros(t.dtype.num)


def stops(n: int):
    t = np.zeros(1)
    for k in range(n):
        if k > 20:
            break
        t = np.append(t, np.sin(k * 1.0))  #> R203 safe
    return t


def no_turn(n: int):
    t = np.ones((2, 3))
    for k in range(n):
        t = np.concatenate([t, np.ones((1, 3)) * k])  #> R203 safe
    return t


def of_any_numbers(u: np.ndarray, n: int):
    t = np.empty((0, 3))
    s = np.array([])
    for k in range(n):
        u += k
        t = np.vstack([t, u[None, :]])  #> R203 safe
        s = np.append(s, np.sum(u * u))  #> R203 safe
    return t, s, np.zeros(t.dtype.num), np.zeros(s.dtype.num)


def of_any_numbers_to_short(u: np.ndarray, n: int):
    t = np.zeros((1, 3), dtype=np.float32)
    s = np.array([np.float32(0.5)])
    for k in range(n):
        t = np.vstack([t, u[None, :]])  #> R203 same
        s = np.append(s, u * u)  #> R203 none
    return t, s


def while_it_lasts(n: int):
    t = np.zeros((1, 3))
    k = 0
    while k < n:
        t = np.vstack([t, np.full(3, 0.5) * k])  #> R203 safe
        k += 1
    return t


def while_not_stopped(n: int):
    t = np.array([])
    k = 0
    while True:
        k += 1
        if k > n:
            break
        if k % 3 == 0:
            continue
        t = np.append(t, k * 0.5)  #> R203 safe
    return t


def while_it_is_short(n: int):
    t = np.zeros(1)
    while len(t) < n:
        t = np.append(t, 1.0)  #> R203 none
    return t


def while_with_else(n: int):
    t = np.zeros(1)
    k = 0
    while k < n:
        t = np.append(t, 1.0)  #> R203 none
        k += 1
    else:
        t = t[1:]
    return t


def within_another(n: int):
    total = 0.0
    for _ in range(n):
        t = np.zeros(1)
        for k in range(n):
            t = np.append(t, k * 1.0)  #> R203 safe
        total += t.sum()
    return total


def yields(n: int):
    t = np.zeros(1)
    for k in range(n):
        yield k
        t = np.append(t, k * 1.0)  #> R203 safe
    yield t.sum()


# ---- near misses -----------------------------------------------------------------------------------


def no_turn_other_axes(n: int):
    t = np.ones(3)
    for k in range(n):
        t = np.vstack([t, np.ones(3) * k])  #> R203 look
    return t


def no_turn_of_a_list(n: int):
    t = []
    for k in range(n):
        t = np.append(t, k * 1.0)  #> R203 none
    return np.ones(3) if isinstance(t, list) else t


def first_is_shared(n: int):
    t = np.zeros((1, 3))
    first = t
    for k in range(n):
        t = np.vstack([t, np.ones(3) * k])  #> R203 look
        first[0, 0] = k
    return t


def first_is_a_view(n: int):
    x = np.zeros((4, 3))
    t = x[:1]
    for k in range(n):
        t = np.vstack([t, np.ones(3) * k])  #> R203 look
        x += 1.0
    return t


def of_the_caller(t: np.ndarray, x: np.ndarray, n: int):
    for k in range(n):
        t = np.vstack([t, np.ones(3) * k])  #> R203 look
        x[0, 0] = k
    return t


def fails_halfway(n: int):
    t = np.zeros((1, 3))
    try:
        for k in range(n):
            t = np.vstack([t, np.ones(3 + k // 9)])  #> R203 look
    except ValueError:
        pass
    return t


def mixed_widths(n: int):
    t = np.zeros(1, dtype=np.int16)
    for k in range(n):
        kind = np.uint16 if k == 0 else np.float32
        t = np.concatenate([t, np.ones(1, dtype=kind)])  #> R203 look
    return t, np.zeros(t.dtype.itemsize)


def kept_by_ufunc(n: int):
    t = np.zeros((1, 3))
    x = np.zeros(3)
    for k in range(n):
        t = np.vstack([t, np.add(x, 1.0, out=x)])  #> R203 look
    return t


def kept_by_reduction(n: int):
    t = np.zeros((1, 3))
    x = np.zeros(3)
    for k in range(n):
        t = np.vstack([t, np.mean(np.ones((2, 3)) * k, 0, None, x)])  #> R203 look
    return t


def kept_by_options(n: int):
    t = np.zeros((1, 3))
    x = np.zeros(3)
    options = {"out": x}
    for k in range(n):
        t = np.vstack([t, np.add(x, 1.0, **options)])  #> R203 look
    return t


def reduced(n: int):
    t = np.zeros((1, 3))
    for k in range(n):
        t = np.vstack([t, np.mean(np.ones((2, 3)) * k, axis=0)])  #> R203 safe
    return t


def read_by_function(n: int):
    t = np.zeros(1)

    def length():
        return len(t)

    for k in range(n):
        t = np.append(t, length() * 1.0)  #> R203 none
    return t


def handed_out(n: int):
    t = np.zeros(1)
    for k in range(n):
        t = np.append(t, k * 1.0)  #> R203 none
        if k == 11:
            return t
    return t


def has_else(n: int):
    t = np.zeros(1)
    for k in range(n):
        t = np.append(t, k * 1.0)  #> R203 none
    else:
        t = t * 2
    return t


def length_of_all(n: int):
    t = np.zeros(1)
    for k in range(n):
        t = np.append(t, t.size * 1.0)  #> R203 none
    return t


def given_out(n: int):
    t = np.zeros(1)
    for k in range(n):
        t = np.append(t, k * 1.0)  #> R203 none
        yield t.sum()


def other_type(n: int):
    t = np.zeros((1, 3), dtype=np.float32)
    for k in range(n):
        t = np.concatenate([t, np.ones((1, 3)) * k], dtype=np.float32)  #> R203 same
    return t


def bound_by_chance(n: int):
    if n > 3:
        t = np.zeros(1)
    for k in range(n):
        t = np.append(t, k * 1.0)  #> R203 none
    return t


def without_np(n: int):
    t = np.zeros(1)
    for k in range(n):
        t = append(t, k * 1.0)  #> R203 safe
    return t


def main():
    return [
        rows(30), columns(30), numbers(30), *whole_numbers(30), *indices(30), flat(30), along_an_axis(30), list_of_numbers(30),
        written_later(30), view_written_later(30), *narrow(30), stops(30), while_it_lasts(30), *of_any_numbers(np.arange(3), 30),
        *of_any_numbers(np.arange(3) * 1j, 30), *of_any_numbers_to_short(np.ones(3, dtype=np.float32), 30), while_not_stopped(30), while_it_is_short(30), while_with_else(30), no_turn(int("0")), within_another(20), *yields(30),
        no_turn_other_axes(int("0")), no_turn_of_a_list(int("0")), first_is_shared(30), first_is_a_view(30),
        of_the_caller(t := np.zeros((1, 3)), t, 30), fails_halfway(30), *mixed_widths(30), kept_by_ufunc(30), kept_by_reduction(30), kept_by_options(30), reduced(30),
        read_by_function(30), handed_out(30), has_else(30), length_of_all(30), *given_out(30), other_type(30),
        bound_by_chance(30), without_np(30),
    ]  # fmt: skip

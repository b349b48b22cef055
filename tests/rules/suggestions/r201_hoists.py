"""Buffers whose turn is seen to be all of their life, and those that are more than that."""
import numpy as np

N = 30


def copies(u: np.ndarray, n: int):
    u[1:-1] = u[2:] - u[:-2]
    for _ in range(n):
        old = u.copy()  #> R201 safe
        u[1:-1] = 0.5 * (old[2:] + old[:-2])
        u[0] = u[-1]
    return u


def copies_again(v: np.ndarray, n: int):
    old = np.empty_like(v)
    old = v.copy()
    for _ in range(n):
        old = v.copy()  #> R201 safe
        v[1:, 1:] = 0.5 * (old[:-1, 1:] + old[1:, :-1])
    return v


def while_it_changes(u: np.ndarray, n: int):
    v = np.ones((3, 30)) * u
    change = 1.0
    while change > 1e-3:  #> R105 later
        before = np.copy(v)  #> R201 safe
        v *= 0.5
        change = np.max(np.abs(v - before))
    return v


def only_read(u: np.ndarray, n: int):
    for k in range(n):
        x = np.linspace(0.0, 1.0, N)  #> R201 safe
        i = np.arange(len(u))  #> R201 safe
        w = np.full(N, 0.25, dtype=float)  #> R201 safe
        u += w * np.sin(x * k) + i * 0.01
    return u


def filled(u: np.ndarray, n: int):
    for k in range(n):
        w = np.zeros(u.shape, dtype=u.dtype)  #> R201 safe
        o = np.ones((N,))  #> R201 safe
        f = np.full(N, 0.5)  #> R201 safe
        e = np.empty(N)  #> R201 safe
        w[::2] = k
        o += w
        np.multiply(f, 3.0, out=f)
        np.copyto(e, f)
        u += 0.1 * w + o + f + e
    return u


def filled_with_this_turn(u: np.ndarray, n: int):
    for k in range(n):
        f = np.full(N, k)  #> R201 none
        f[0] = 7
        u += f
    return u


def read_behind(u: np.ndarray, n: int):
    """Without a turn the name stands for nothing: so it may as well stand for the buffer."""
    for k in range(n):
        w = np.zeros(N)  #> R201 safe
        w[k] = u[k]
    return w


def read_behind_another(u: np.ndarray, n: int):
    """Without a turn it stands for what was there before."""
    w = u * 2.0
    for k in range(n):
        w = np.zeros(N)  #> R201 none
        w[k] = u[k]
    return w


def read_in_the_next_turn(u: np.ndarray, n: int):
    seen = 0.0
    for k in range(n):
        if k > 0:
            seen = seen + w.sum()
        w = np.zeros(N)  #> R201 same
        w[k] = 1.0
    return u * seen


def read_by_the_turn_of_an_outer_loop(u: np.ndarray, n: int):
    total = 0.0
    for turn in range(n):
        for k in range(turn % 2 * N):
            w = np.zeros(N)  #> R201 look
            w[0] = turn
        if turn > 0:
            total = total + w[0]
    return u + total


def first(w):
    return w[1:]


def handed_through(u: np.ndarray, n: int):
    tail = u[1:]
    for k in range(n):
        u[0] = tail[0] + k
        w = np.zeros(N)  #> R201 none
        w[1:] = u[1:] + tail
        tail = first(w)
    return tail


def in_objects(u: np.ndarray, n: int):
    kept = np.empty(n, dtype=object)
    for k in range(n):
        w = np.zeros(N)  #> R201 none
        w[k] = 1.0
        kept[k] = w
    return u * sum(w.sum() * (k + 1) for k, w in enumerate(kept))


def by_a_closure(u: np.ndarray, n: int):
    def look():
        return w

    kept = []
    for k in range(n):
        w = np.zeros(N)  #> R201 none
        w[k] = 1.0
        kept.append(look())
    return np.array(kept)


def by_a_lambda(u: np.ndarray, n: int):
    makers = []
    for k in range(n):
        w = np.zeros(N)
        w[k] = 1.0
        makers.append(lambda w=w: w)
    return np.array([make() for make in makers])


def generated(n: int):
    for k in range(n):
        w = np.zeros(N)
        w[k] = 1.0
        yield w


def deleted(u: np.ndarray, n: int):
    for k in range(n):
        w = np.zeros(N)  #> R201 none
        w[0] = k
        u += w
        del w
    return u


def bound_anew_by_a_loop(u: np.ndarray, n: int):
    for k in range(n):
        w = np.zeros(N)  #> R201 none
        w[0] = k
        u += w
        for w in range(3):
            pass
    return u


def grown(u: np.ndarray, n: int):
    """The array that is copied gets another type."""
    u = np.zeros((2, 30), dtype=int) + np.arange(30)
    for k in range(n):
        old = u.copy()  #> R201 none
        u = u + 0.5 * old  #> R202 none
    return u


size = 3


def grow():
    global size
    size += 1


def by_a_global(u: np.ndarray, n: int):
    for k in range(n):
        w = np.zeros(size)  #> R201 look
        w[-1] = 1.0
        u[:size] += w
        grow()
    return u


def by_a_list(u: np.ndarray, n: int):
    shape = [2]
    for k in range(n):
        w = np.zeros(shape)  #> R201 look
        w[-1] = 1.0
        u[: shape[0]] += w
        shape[0] += 1
    return u


def left_early(u: np.ndarray, n: int):
    for k in range(n):
        if k == 3:
            continue
        w = np.zeros(N)  #> R201 safe
        w[k] += 1.0
        if k == 9:
            break
        u += w
    return u


def raised(u: np.ndarray, n: int):
    for k in range(n):
        w = np.zeros(N)  #> R201 safe
        try:
            w[k * 3] = 1.0
        except IndexError:
            w[0] = 2.0
        u += w
    return u


def tail(u: np.ndarray, n: int):
    for k in range(n):
        w = np.zeros(N)  #> R201 same
        w[0] = k
        u += w
    else:
        u += w
    return u


def updated(u: np.ndarray, n: int):
    i = np.arange(30)
    for k in range(n):
        w = np.zeros_like(i)  #> R201 safe
        w += i
        w[0] -= k
        u += w
    return u


def new():
    return np.linspace(0.0, 1.0, 30)


def main():
    found = [
        copies(new(), 20), copies_again(np.outer(new(), new()), 20), while_it_changes(new(), 20), only_read(new(), 20),
        filled(new(), 20), filled_with_this_turn(new(), 20), read_behind(new(), 20),
        read_behind_another(new(), 0), read_behind_another(new(), 5),
        read_in_the_next_turn(new(), 20), read_by_the_turn_of_an_outer_loop(new(), 20),
        handed_through(new(), 20), in_objects(new(), 20), by_a_closure(new(), 20),
        by_a_lambda(new(), 20), np.array([w.copy() for w in generated(20)]), deleted(new(), 20),
        bound_anew_by_a_loop(new(), 20), grown(new(), 20), by_a_global(new(), 20),
        by_a_list(new(), 20), left_early(new(), 20), raised(new(), 20), tail(new(), 20),
        updated(new(), 20), copies(new(), 0), filled(new(), 0),
    ]
    return found

import numpy as np


def all_of(a: np.ndarray, b: np.ndarray):
    for x in a:
        print(x)
    for i, x in enumerate(a):
        b[i] = x
    for x, y in zip(a, b):
        yield x + y
    for x in np.nditer(a): pass
    for i, x in np.ndenumerate(a): pass
    for i in np.ndindex(a.shape): pass
    f = np.vectorize(lambda x: x + 1, otypes=[float])
    g = np.frompyfunc(abs, 1, 1)
    return list(map(f, a)), list(filter(None, b)), [x for x in a.T], f(a), g(b), sum(a), max(a), sorted(b)


@np.vectorize
def h(x): return x
h(np.arange(10))

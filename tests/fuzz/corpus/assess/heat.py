import numpy as np
def inner(a): return float(a.sum())
def outer(a, n):
    for _ in range(n): inner(a); apply(inner, a)
def apply(g, *args): return g(*args)
def plot(a):
    import matplotlib.pyplot as plt
    plt.plot(a); plt.savefig("x"); print(a.max())
def once(a):
    for name in ["a", "b"]: inner(a)
    for f in (open("x"), open("y")): a += float(a.sum())
    for i in range(16): a *= a.max().item()
    for i in range(17): a *= a.max().item()
    for x in unknown(): a *= a.max().item()
def rec(a, n): return rec(inner(a), n - 1) if n else rec2(a)
def rec2(a): return rec(a, 3)
def main():
    epochs = 100; last = epochs - 1
    a = np.zeros(100)
    for e in range(epochs):
        outer(a, e); rec(a, e)
        if e == last: print(a.sum())
        if (e + 1) % 10 == 0: plot(a)
        if e % 1 == 0: print(a.sum())
        if e % 10 != 0: print(a.sum())
        if a.sum() % 10 == 0: print(a.sum())
        if debug: print(a.sum())
    return [inner(a) for _ in range(1000)], dict(a=a)["a"], (a, a)[0].item()
main()

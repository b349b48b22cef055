import numpy as N
from numpy import zeros as Z, where, dot as d, newaxis
xp = N
def f(np, x, dot):
    y = np.zeros(3); return dot(y, y) + x[1:-1, :] + x.shape[0] + N.f(x)
def g(x):
    """Do.

    Parameters
    ----------
    x : (n, m) array_like, optional
    """
    return x * 2
def h(x=None, y=N.zeros(3), *, z: "list[np.ndarray]" = ()):
    for q in z: q[0] = 1
    return x[0][1], {"a": y, **z}["a"], [y, *z][0], (y, y), y if x else x
class A:
    c = Z(3)
    def __init__(self, o=None): self.o = o; self.d = {}; self.l = [Z(1) for _ in range(3)]; self.t = (Z(3), 1)
    def m(self): self.d["k"] = Z(3); self.l.append(self.c); return self
    def __getitem__(self, i): return self.l[i]
    def __iter__(self): yield from self.l
a = A(A()).m().m(); a.o.c[:] = a[0] + a.l[1]; b, *c = a.t; (p, q), r = (1, Z(3)), [Z(2)]
m = Z(3) > 0; n = N.nonzero(m); k, = where(m); s = Z(3)[m] + Z(3)[n] + Z(3)[k]; v = Z((3, 3))[newaxis].T.view()
w = Z(3).sum() + float(Z(3).max()); e = f(N, Z(3), d); i = h(*[1], **{"y": 2}); setattr(a, "x", 3); getattr(N, "zeros")(3)
del a, b; global_ = globals(); a = 1; a += Z(3); a @= Z(3); u = ~m & m | m ^ m; o = not m.any()

from __future__ import annotations
import numpy as np, os.path as p, sys
from typing import Optional, Union
import numpy.typing as npt
try:
    import cupynumeric as np
except ImportError:
    import numpy as np
else: pass
finally: del p
type X = int
async def f(a: npt.NDArray[np.float64], /, b: Optional[np.ndarray] = None, *args: int, c=1, **kw) -> "np.ndarray":
    global g
    nonlocal_ = lambda *a, **k: (yield a)
    async with a as b, open("x") as (q, *w): await b
    async for i in a: b = i
    with np.errstate(all="ignore"): a /= b
    match a:
        case [1, 2, *rest] if rest: pass
        case {"x": np.pi, **other} | np.ndarray(shape=(3,)): pass
        case str() as s: pass
        case -1 | 1 + 2j | None | _: pass
    x: int = 3; y = z = x if a else b; (m := 3); del x, y[0], z.q
    assert a, "b"
    raise ValueError("x") from None
    return [i async for i in a if i if not i for j in i], {i for i in a}, {i: j for i, j in a}, (i for i in a)
@a.b(c)
class C(B[int], metaclass=M):
    x = np.zeros(3) ; __slots__ = ("x",)
    def __call__(self, a): return self.x[a, ..., None, 1:2, ::-1] ** -a // b % ~c << d >> e & f | g ^ h @ i
while True:
    if 1 < x <= 2 != 3 is not None not in y: continue
    elif x and not y or z: break
    else: print(f"{x!r:>{w}} {a + b=}" rb'x' u"y" """z""", 0x1F, 0b1, 1_000e-3, 2j, 0o7, ...)
else: x = yield
x = a if b else c; *a, b = c; a, (b, [c, *d]) = e; a[b].c(d)(e, *f, g=h, **i)

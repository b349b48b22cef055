f"{x!r:>{w}} {y=} {{z}}" "abc" b'c'
a[1:2, ::3, ..., 4,]
a[(i, j)]
a[*x]
f(*a, **k, b=1, *c)
f(x for x in y)
f((x for x in y), (yield))
[a for b, c in d if e async for f in g, h]
{**a, 'b': c}
{*a, b}
a if b else c
(a := 3)
print(a, file=b)
x = yield
x = yield from y
x = await z
not a in b
a is not b not in c
return a, b
(a, b) = c
[a, b] = c
*a, b = c
a.b, c[0] = d
for a.b in c, d: pass
else: pass
x = *a, b
assert a, b
global a, b
from . import x
from ..a.b import (c as d, e)
from a import *
from __future__ import division
import a.b.c as d, e.f
a = (
  # hi
  b # c
)
print
exec = 3
x: int
class A(B, metaclass=C): pass
class A: x = 3; y
1j; 1.5; 0777; 10L; ur"x"
if a: pass
elif b: pass
else: pass
while x: pass
x = a, b = c
def f():
    """doc"""
    return

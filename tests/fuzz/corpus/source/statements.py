try:
    pass
except ValueError as e:
    pass
except (A, B):
    pass
except A, B:
    pass
except:
    pass
try: pass
except* E as x: pass
with (open(a) as b): pass
with (open(a) as b, c): pass
with (a): pass
with (a, b) as c: pass
with a as (b, c), d: pass
print "a", b
print
print >>f, x
exec "x" in d
raise E, v
x <> y
`x`
del (a, b), c[0]
a: int = 3
a = b = c
a += 1, 2
def f(a, (b, c), /, d: int = 3, *args: T, e, **kw) -> int: pass
@dec
# comment
@dec2(1)
async def f[T](*, a=3): pass
lambda x, *y: x
match x:
    case A.b(c, d=3) if c: pass
    case [1, *r] | {"a": b, **q}: pass
    case _: pass
    case (a, b) as z: pass
    case -1: pass
    case x.y: pass
    case "a" | 'b': pass
type X[T] = int

match x:
 case A.b(c, d=3) | [-1, *r, {"a": (b), **q}] as z if c: pass
 case (_): pass

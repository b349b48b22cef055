type(a).b = *c(d), *e[0]
type(*f(x), **g(y))[0] = 1
x: A[*B]
type X[*T] = (a).b

import numpy as np
print "x", np.zeros(3),
print >>f, x
exec "x" in {}
raise E, "x"
try: pass
except E, e: pass
x = `a` <> 0777L
ur"x"
for i in xrange(10): a[i] = 1
lambda (a, b): a

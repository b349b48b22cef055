import numpy as np
def f(a: np.ndarray:
    for i in range(n)
        a[i] = = 1
  return (a
class : def
x = [1, 2
if a.any():
 	y = 3
	else
@
np.zeros(3))

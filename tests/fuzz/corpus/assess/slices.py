import numpy as np

STEP = 2
a = np.zeros((100, 100), order="F")
a[::2] = a[::-1][::STEP] + a[1:9:1]
b = np.array([1, "x", None], dtype=object)
c = np.zeros(3, dtype=[("x", "f4"), ("y", "i4")])
d = np.array(["2020-01-01"], dtype="datetime64[D]")
e = np.longdouble(3); f = np.array(["a", "b"]); g = np.asarray(a, np.complex256)
a.reshape(-1, order="C"); a.ravel("K"); np.ravel(a, order="F"); a.astype("f4", order="K"); a.flatten("F")
np.flip(a)[0] = 1
np.diag(a)[:] = 2
a.ravel()[3] = 4
a.reshape(10, 10, 100)[0, 0, 0] += 1
np.rot90(a)[...] = 0
a.flat[3] = 1
a.shape = (10, 1000)
h = np.zeros((1, 1, 1, 1, 1, 1, 1))

# verdict: NOT RECOMMENDED
# gates: 4=fail
# unchecked: R301
"""A script without loops that assembles and solves a sparse system is about sparse matrices."""
import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import spsolve

cells = 400
x = np.linspace(0, 1, cells)
rhs = np.sin(x)
system = sp.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(cells, cells), format="csr")
system[0, :] = sp.eye(cells).tocsr()[0, :]
rhs[0] = 0.0
u = spsolve(system, rhs)
print(u.max())

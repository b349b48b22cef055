#@ unlisted gpus
import numpy as np, scipy.optimize, cupy as cp, pandas as pd, cv2
from scipy import sparse, ndimage
from scipy.integrate import solve_ivp
from mpi4py import MPI
import threading, multiprocessing as mp
import matplotlib.pyplot as plt
import cupynumeric as cn
import numba


@numba.jit(nopython=True)
def jitted(a):
    for i in range(len(a)): a[i] = 1


def f(x): return np.sum(x ** 2) + sparse.csr_matrix(x).sum()


def main(n, steps):
    comm = MPI.COMM_WORLD
    x = np.zeros(n)
    host = np.ones(3)
    for t in range(steps):
        comm.Allreduce(MPI.IN_PLACE, x)
        comm.bcast(x.sum(), root=0)
        y = cp.asarray(x); z = cp.asnumpy(y); w = np.asarray(y)
        x = ndimage.gaussian_filter(x, 3)
        q, r = np.linalg.qr(x); u, s, v = np.linalg.svd(r); np.linalg.cholesky(np.eye(10000)); np.linalg.solve(q, r)
        np.fft.fft2(x); np.fft.rfft(x, axis=0)
        jitted(x); cv2.blur(x, 3); pd.DataFrame(x).mean()
        np.interp(x, x, x); np.add.at(x, 3, 1); np.add(x, x, where=x > 0); np.kron(x, x)
        plt.plot(x)
    r = scipy.optimize.minimize(f, x)
    solve_ivp(lambda t, y: -np.dot(y, y), (0, 1), x)
    threading.Thread(target=f, args=(x,)).start()
    mp.Pool(3).map(f, [x, x])
    return isinstance(x, np.ma.MaskedArray), np.r_[x, x], cn.zeros(3) + host

from pkg.step import step, N as M
from helpers import *
import pkg.step as s
u = make(M)
for t in range(1000):
    u = step(u); s.step(s.state)
    print(tools.norm(u))
#@ file pkg.step
import numpy as np
from . import shared
from ..helpers import norm as n
N = 1 << 20
state = np.zeros((N, 3))
def step(a, b=None):
    a[1:] = a[:-1]
    return float(a.sum()) if b is None else shared.f(a)
#@ file helpers
from numpy import *
import pkg.step, main as tools
__all__ = ["make"]
def make(n): return zeros(n) + max(ones(n))
def norm(x): return sqrt(sum(x * x))
#@ file pkg
from .step import *
from pkg import step

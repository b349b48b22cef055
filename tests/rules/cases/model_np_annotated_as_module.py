# verdict: LIGHT REFACTOR
"""A parameter np that is declared a module is the module that its use shows."""
import types
from types import ModuleType


def walk(np: ModuleType, n: int):
    r = np.ones(n)
    for i in range(n):  #> R101
        r[i] = np.sqrt(r[i])
    return r


def scaled(xp: types.ModuleType, n: int):
    return xp.ones(n) * 2.0

# SPDX-License-Identifier: Apache-2.0
"""Runs what two versions of a program have in common under NumPy, with made-up inputs, and compares.

What a parameter gets follows from its annotation, its default and its name: an array of random numbers, the
module, or a number. Arrays have one axis or two, whichever the program runs with.
"""

import ast
import inspect
import operator
import sys
import types
from unittest import mock

import numpy as np

COUNTS = {"n", "steps", "rounds", "turns", "count", "size", "sweeps", "n_rows", "rows", "k"}
NUMBERS = {"level": 0.25, "target": 0.5, "tolerance": 1e-3, "limit": 0.5, "cut": 0.1, "dt": 0.01, "rate": 0.1}
SIGNS = {"y"}  # labels of two classes
EDGES = {"bins"}  # they ascend
N = 12


class Untried(Exception):
    """No inputs were found with which the program runs."""


def functions_of(text):
    """{qualified name: dump of its code}: of the module's functions and the methods of its classes."""
    found, parts = {}, [("", ast.parse(text))]
    while parts:
        prefix, node = parts.pop()
        for child in node.body:
            if isinstance(child, ast.ClassDef):
                parts.append((f"{prefix}{child.name}.", child))
            elif isinstance(child, ast.FunctionDef):
                found[prefix + child.name] = ast.dump(child)
    return found


def module_of(text, name):
    """The program, run but for its `if __name__ == "__main__"`; CuPy is NumPy here."""
    module = types.ModuleType(name.replace(".", "_"))
    cupy = types.ModuleType("cupy")
    cupy.__dict__.update({key: getattr(np, key) for key in dir(np) if not key.startswith("__")})
    cupy.get_array_module = lambda *_: np
    known, sys.modules["cupy"] = sys.modules.get("cupy"), cupy
    try:
        exec(compile(text, name, "exec"), module.__dict__)  # noqa: S102: programs of our own
    finally:
        if known is None:
            del sys.modules["cupy"]
        else:
            sys.modules["cupy"] = known
    return module


def value_for(parameter, rank, random):
    kind = parameter.annotation if isinstance(parameter.annotation, str) else getattr(parameter.annotation, "__name__", "")
    if parameter.name in ("np", "xp"):
        return np
    if kind == "int" or parameter.name in COUNTS:
        return N
    if parameter.name in NUMBERS or kind == "float":
        return NUMBERS.get(parameter.name, 0.5)
    if parameter.default is not inspect.Parameter.empty:
        return parameter.default
    if parameter.name in EDGES:
        return np.linspace(0.0, 1.0, N)
    array = random.uniform(-1.0, 1.0, (N,) * rank)
    return np.sign(array) if parameter.name in SIGNS else array


def arguments_for(function, rank, seed):
    random = np.random.default_rng(seed)
    plain = getattr(function, "pyfunc", function)  # of np.vectorize: what it says of numbers is no matter
    parameters = list(inspect.signature(plain).parameters.values())
    if plain is not function:
        parameters = [one.replace(annotation=inspect.Parameter.empty) for one in parameters]
    return [value_for(one, rank, random) for one in parameters]


def function_of(module, name, rank, seed):
    """Methods belong to a new instance."""
    owner, _, method = name.rpartition(".")
    if not owner or isinstance(inspect.getattr_static(getattr(module, owner), method), (staticmethod, classmethod)):
        return operator.attrgetter(name)(module)
    kind = getattr(module, owner)
    return getattr(kind(*arguments_for(kind, rank, seed)), method)


def outcome(module, name, rank, seed):
    """What it gives back, and what it has made of what it was given."""
    function = function_of(module, name, rank, seed)
    arguments = arguments_for(function, rank, seed)
    new = mock.patch.multiple(np, empty=np.zeros, empty_like=np.zeros_like)  # what these hold is chance
    with np.errstate(all="ignore"), new:
        result = function(*arguments)
    if inspect.isgenerator(result):
        result = [np.copy(item) for item in result]
    return result, [one for one in arguments if isinstance(one, np.ndarray)]


def same(a, b):
    if isinstance(a, (list, tuple)):
        return isinstance(b, type(a)) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, (np.ndarray, np.generic, float, int)):
        a, b = np.asarray(a), np.asarray(b)
        kinds = a.dtype == b.dtype or a.ndim == 0
        return kinds and a.shape == b.shape and np.allclose(a, b, rtol=1e-10, atol=1e-14, equal_nan=True)
    return type(a) is type(b) and (a is None or a == b or isinstance(a, np.random.Generator))


def calling(codes, names):
    """The functions that mention one of the names."""
    return [one for one in codes if any(f"Name(id='{name}'" in codes[one] for name in names)]


def compare(old, new, name, seeds=(1, 2)):
    """Fails where a function that has changed, or calls a new one, computes something else, or was not run."""
    codes, changed = functions_of(old), functions_of(new)
    names = [one for one in codes if changed.get(one) != codes[one]]
    names += [one for one in calling(codes, set(changed) - set(codes)) if one not in names]
    assert names and set(codes) <= set(changed), name
    before, after = module_of(old, name), module_of(new, name)
    for one in names:
        ran = 0
        for rank, seed in ((rank, seed) for rank in (1, 2) for seed in seeds):
            try:
                right = outcome(before, one, rank, seed)
            except (TypeError, ValueError, IndexError, AttributeError, np.exceptions.AxisError):
                continue
            assert same(right, outcome(after, one, rank, seed)), (name, one, rank)
            ran += 1
        if not ran:
            raise Untried(f"{name}: {one}")

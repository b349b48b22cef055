# SPDX-License-Identifier: Apache-2.0
"""Stand-ins for Legate, cuPyNumeric and CuPy, on which recipes run within a test."""

import sys
import types

import numpy as np
import pytest


class Launch:
    """A manual task: its points run one after the other, from the last one on."""

    def __init__(self, machine, function, count):
        self.machine, self.function, self.count = machine, function, count
        self.declared = []

    def add_output(self, tiles):
        self.tiles = tiles

    def throws_exception(self, kind):
        self.declared.append(kind)

    def execute(self):
        assert OSError in self.declared and ValueError in self.declared
        assert len(self.tiles) == self.count
        for first, tile in reversed(self.tiles):
            self.machine.synchronized = False
            self.function(self.machine, Tile(first, tile))
            assert self.machine.synchronized or not self.machine.on_gpu


class Tile:
    """The store of a point; `domain` counts rows of the whole array."""

    def __init__(self, first, values):
        self.__array_interface__ = values.__array_interface__
        last = tuple(n - 1 for n in values.shape)
        lo = (first, *(0 for _ in values.shape[1:]))
        hi = (first + last[0], *last[1:])
        self.domain = types.SimpleNamespace(lo=lo, hi=hi)


class Machine:
    """Legate with so many processors, and CuPy on the host's memory."""

    def __init__(self, processors, on_gpu):
        self.processors, self.on_gpu, self.synchronized = processors, on_gpu, False

    def count(self):
        return self.processors

    def get_variant_kind(self):
        return "GPU" if self.on_gpu else "CPU"

    def synchronize(self):
        self.synchronized = True

    def empty(self, shape, dtype):
        """Strided, like tiles of a wider array, and full of what nobody loads."""
        assert np.dtype(dtype).kind in "biufc" and np.dtype(dtype).char not in "gG"
        wide = np.full((*shape[:-1], shape[-1] + 3), 77, dtype)
        return wide[..., 1:-2]

    def as_logical_array(self, array):
        def partition_by_tiling(tile):
            assert tile[1:] == array.shape[1:] and tile[0] >= 1
            starts = range(0, len(array), tile[0])
            return [(row, array[row : row + tile[0]]) for row in starts]

        data = types.SimpleNamespace(partition_by_tiling=partition_by_tiling)
        return types.SimpleNamespace(data=data)

    def create_manual_task(self, library, function, domain):
        (count,) = domain
        return Launch(self, function, count)

    def task(self, variants):
        assert variants == ("CPU", "OMP", "GPU")
        return lambda f: types.SimpleNamespace(library=None, task_id=f)

    def modules(self):
        def upload(values):
            """As CuPy: no other byte order, no other kinds of elements."""
            assert np.asarray(values).dtype.isnative and np.asarray(values).dtype.kind in "biufc"
            return np.asarray(values)

        fence = types.SimpleNamespace(issue_execution_fence=lambda block: None)
        fence.create_manual_task = self.create_manual_task
        core = {
            "TaskContext": object,
            "VariantCode": types.SimpleNamespace(CPU="CPU", OMP="OMP", GPU="GPU"),
            "as_logical_array": self.as_logical_array,
            "get_legate_runtime": lambda: fence,
            "get_machine": lambda: self,
        }
        cuda = types.SimpleNamespace(get_current_stream=lambda: self)
        return {
            "cupynumeric": {"empty": self.empty, "ndarray": np.ndarray},
            "legate": {},
            "legate.core": core,
            "legate.core.task": {"OutputStore": object, "task": self.task},
            "cupy": {"asarray": upload, "cuda": cuda},
        }


def run(text, processors=3, on_gpu=False):
    """Runs a recipe; its names afterwards."""
    with pytest.MonkeyPatch.context() as patch:
        for name, members in Machine(processors, on_gpu).modules().items():
            module = types.ModuleType(name)
            vars(module).update(members)
            patch.setitem(sys.modules, name, module)
        names = {"__name__": "__main__"}
        exec(compile(text, "recipe.py", "exec"), names)
    return names

# SPDX-License-Identifier: Apache-2.0
"""
What must arrive in an array of cuPyNumeric, as one table of cases: tests/engine loads them in one process,
tests/multirank on two ranks. Expected values are NumPy's; nothing here calls muster.
"""

import dataclasses
from collections.abc import Callable

import numpy as np
from support import reference

COUNTS = {
    "uneven": (7, 130, 1, 64),
    "with empty ones": (0, 5, 0, 0, 9, 0),
    "one shard": (100,),
    "fewer rows than processors": (1,),
    "none": (0, 0),
}
DTYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
BIG_ENDIAN = [">i2", ">u4", ">i8", ">f2", ">f4", ">f8", ">c8", ">c16"]
#: Arrays and views of them that have 90 rows of 6.
VIEWS = {
    "whole": ((90, 6), lambda b: b),
    "inner rows and columns": ((100, 9), lambda b: b[5:95, 2:8]),
    "transposed": ((6, 90), lambda b: b.T),
    "transposed, inner": ((9, 100), lambda b: b[2:8, 5:95].T),
    "a plane": ((90, 4, 6), lambda b: b[:, 2, :]),
    "a plane behind": ((90, 6, 3), lambda b: b[:, :, 1]),
    "a plane of four axes": ((3, 100, 2, 6), lambda b: b[1, 10:, 1]),
}


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    #: Writes the files into a folder and returns what lies in them, as one array.
    make: Callable[[str], np.ndarray]
    options: dict = dataclasses.field(default_factory=dict)
    #: What the options make of that array.
    result: Callable[[np.ndarray], np.ndarray] = lambda array: array
    #: A name of VIEWS: where it is loaded to, instead of a new array.
    view: str | None = None

    def expected(self, whole):
        """The new array, or what becomes of the one that the view is of."""
        if self.view is None:
            return native(self.result(whole))
        shape, view = VIEWS[self.view]
        base = np.full(shape, -1.0)
        view(base)[...] = whole
        return base

    def load(self, muster, cupynumeric, path):
        """The same as muster loads it, as an array of NumPy."""
        if self.view is None:
            loaded = muster.load(path, progress=False, **self.options)
            assert isinstance(loaded, cupynumeric.ndarray)
            return np.asarray(loaded)
        shape, view = VIEWS[self.view]
        base = cupynumeric.full(shape, -1.0)
        out = view(base)
        assert muster.load(path, out=out, progress=False, **self.options) is out
        return np.asarray(base)


def native(array):
    return np.ascontiguousarray(array.astype(array.dtype.newbyteorder("=")))


def same(found, expected):
    """In dtype, shape and every byte."""
    alike = found.dtype == expected.dtype and found.shape == expected.shape
    return alike and found.tobytes() == expected.tobytes()


def shards(counts, trailing=(), dtype="f4", order="C", raw=False):
    """Writes files of so many rows each, as a Case's `make`."""

    def make(folder):
        random = np.random.default_rng(len(counts))
        parts = [(random.random((n, *trailing)) * 100).astype(dtype) for n in counts]
        for i, part in enumerate(parts):
            if raw:
                reference.put(folder, f"s_{i:05}.bin", b"head" + part.tobytes())
            else:
                reference.put(folder, f"s_{i:05}.npy", np.asarray(part, order=order))
        return np.concatenate(parts)

    return make


def shapes():
    for counts_name, counts in COUNTS.items():
        for trailing in ((), (3,), (4, 5), (2, 3, 4)):
            for order in "CF":
                for over in (1, 3):
                    name = f"{counts_name}, rows of {trailing}, order {order}, over_decompose {over}"
                    yield Case(name, shards(counts, trailing, order=order), {"over_decompose": over})
    yield Case("rows of nothing", shards((3, 4), (0, 2)))


def dtypes():
    for dtype in DTYPES + BIG_ENDIAN:
        for order in "CF":
            yield Case(f"npy of {dtype}, order {order}", shards((40, 3), (5,), dtype, order))
        options = {"source_dtype": dtype, "row_shape": (5,), "header_bytes": 4}
        yield Case(f"raw of {dtype}", shards((40, 0, 3), (5,), dtype, raw=True), options)


def conversions():
    pairs = [("i2", "f8"), ("f4", "f8"), (">f8", "f4"), (">i4", "i8"), ("u1", "c16"), ("?", "i4"), ("f2", "c8")]
    for old, new in pairs:
        for order in "CF":
            make = shards((40, 0, 31), (2, 3), old, order)
            yield Case(
                f"{old} to {new}, order {order}", make, {"dtype": new}, lambda a, new=new: a.astype(new)
            )


def parts():
    make = shards((50, 50, 50), (4,))
    yield Case("inner rows", make, {"rows": (17, -20)}, lambda a: a[17:-20])
    yield Case("rows of one shard", make, {"rows": slice(51, 52)}, lambda a: a[51:52])
    yield Case("no rows", make, {"rows": (60, 60)}, lambda a: a[60:60])
    yield Case("stacked", make, {"stack": True}, lambda a: a.reshape(3, 50, 4))
    yield Case("small tiles", make, {"tile_rows": 11})
    yield Case("a tile of more rows than there are", make, {"tile_rows": 10**9})
    yield Case("past the cache", make, {"direct": "always"})
    yield Case("rows of large bytes", shards((3, 2), (70000,)), {"over_decompose": 2})
    yield Case("4,096 shards", shards([3] * 4096, (2,)))


def views():
    for view in VIEWS:
        for over in (1, 5):
            for order in "CF":
                name = f"into {view}, over_decompose {over}, order {order}"
                make = shards((31, 0, 59), (6,), "f8", order)
                yield Case(name, make, {"over_decompose": over}, view=view)


def some(cases, step):
    """One of each `step` that differ in order and over_decompose only, in turn another one."""
    cases = list(cases)
    return [cases[i + i // step % step] for i in range(0, len(cases) - step + 1, step)]


CASES = [*shapes(), *dtypes(), *conversions(), *parts(), *views()]
#: For where each load takes long: all counts, rows, dtypes, views and options, not all with one another.
FEWER_CASES = [
    *some(shapes(), 4),
    *some(dtypes(), 3),
    *some(conversions(), 2),
    *parts(),
    *some(views(), 4),
]

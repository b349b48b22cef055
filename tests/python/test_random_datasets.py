# SPDX-License-Identifier: Apache-2.0
"""
Random datasets, read in random ways, against NumPy.

Each property is a function of one drawn dataset, and a number of examples; tests/soak runs the same
ones for longer.
"""

import os
import tempfile
from random import Random

import hypothesis
import ml_dtypes
import numpy as np
import pytest
from hypothesis import strategies as st
from support import datasets, env, libmuster, reference
from support.libmuster import Dataset, MusterError


def read_in_parts(random, dataset, expected):
    """The rows in random pieces through muster_read_rows, dense and strided."""
    for strided in (False, True):
        lo, hi = sorted(random.randint(0, len(expected)) for _ in range(2))
        if strided:
            into = datasets.destination(random, expected[lo:hi].shape, expected.dtype)
            dataset.read_into(into.array, lo, hi)
            into.check(expected[lo:hi])
        else:
            assert reference.same(dataset.read(lo, hi), expected[lo:hi])


def load_in_one(random, dataset, expected):
    """All rows through muster_load: dense, strided, and the checksum."""
    array, result = dataset.load(checksum=True, **datasets.load_options(random))
    assert reference.same(array, expected)
    assert (result.rows, result.bytes) == (len(expected), expected.nbytes)
    assert result.checksum == reference.checksum(expected)
    into = datasets.destination(random, expected.shape, expected.dtype)
    dataset.load(into=into.array, **datasets.load_options(random))
    into.check(expected)


def load_to_file(random, dataset, expected):
    """All rows through muster_load into a file, as NumPy reads it."""
    with tempfile.TemporaryDirectory(prefix="muster-test-", dir=env.SCRATCH) as folder:
        path = os.path.join(folder, "result")
        options = datasets.load_options(random) | {"populate": False}
        _, result = dataset.load(to="npy", path=path, checksum=True, **options)
        got = np.load(path)
        assert got.flags.c_contiguous and got.dtype.str == expected.dtype.str
        assert reference.same(got, expected)
        assert result.checksum == reference.checksum(expected)
        assert os.listdir(folder) == ["result"]
        assert os.path.getsize(path) % 64 == expected.nbytes % 64, "the data are not aligned"


def everything(data, made):
    """One dataset in all ways."""
    try:
        random, expected = Random(data.draw(datasets.seeds)), made.whole
        with Dataset(made.inputs, threads=random.randint(1, 8), **made.options) as dataset:
            assert dataset.shape == expected.shape
            assert dataset.dtype == expected.dtype
            assert [os.path.abspath(s[0]) for s in dataset.shards] == made.paths
            if not made.options.get("stack"):
                sizes = [len(p) for p in made.parts]
                assert [s[1] for s in dataset.shards] == sizes
                assert [s[2] for s in dataset.shards] == np.cumsum([0, *sizes])[:-1].tolist()
            assert [s[3] for s in dataset.shards] == [os.path.getsize(p) for p in made.paths]
            read_in_parts(random, dataset, expected)
            load_in_one(random, dataset, expected)
            if random.random() < 0.3:
                load_to_file(random, dataset, expected)
    finally:
        datasets.remove(made)


def npy(data):
    everything(data, data.draw(datasets.npy_datasets()))


def stacked(data):
    everything(data, data.draw(datasets.stacked_datasets()))


def raw(data):
    everything(data, data.draw(datasets.raw_datasets()))


# ---- conversion ----------------------------------------------------------------------------------


def may_convert(source, target):
    """True or False where the rule is plain; None where NumPy converts units or makes times."""
    source, target = np.dtype(source), np.dtype(target)
    if source == target or (source.kind in "mM" and target == np.int64):
        return True
    if np.can_cast(source, target, "same_kind"):
        return None if target.kind in "mM" else True
    return False


def converted(array, target):
    with np.errstate(all="ignore"):
        native = reference.native(array)
        return (
            native.view("i8")
            if native.dtype.kind in "mM" and target == np.int64
            else native.astype(target)
        )


def conversion(data):
    source, target = (
        data.draw(datasets.dtypes, "source"),
        np.dtype(data.draw(datasets.dtypes, "target")),
    )
    narrow = source in "gG" and target == np.float16

    def values(rng, shape, dtype):
        return datasets.numeric_array(rng, shape, dtype, narrow)

    made = data.draw(datasets.npy_datasets(values, st.just(source), zeros=False))
    allowed = may_convert(source, target)
    try:
        random = Random(data.draw(datasets.seeds))
        spelling = random.choice([target.str, target.str[1:], target.name])
        with Dataset(made.inputs, dtype=spelling, **made.options) as dataset:
            assert allowed is not False, f"{source} became {target}"
            expected = converted(made.whole, target)
            assert (dataset.shape, dataset.dtype) == (expected.shape, target)
            assert reference.same_values(dataset.read(), expected)
            into = datasets.destination(random, expected.shape, target)
            _, result = dataset.load(
                into=into.array, checksum=True, **datasets.load_options(random)
            )
            got = np.array(into.array)
            assert reference.same_values(got, expected)
            assert result.checksum == reference.checksum(got)
            into.untouched()
    except MusterError as error:
        assert error.status == libmuster.MISMATCH and not allowed, error
    finally:
        datasets.remove(made)


NARROW = {
    "bfloat16": ml_dtypes.bfloat16,
    "float8_e4m3fn": ml_dtypes.float8_e4m3fn,
    "float8_e5m2": ml_dtypes.float8_e5m2,
}


def narrow_floats(data):
    """What ml_dtypes saves as V2 or V1, and the same bytes raw."""
    name, seed = data.draw(st.sampled_from(sorted(NARROW))), data.draw(datasets.seeds)
    rng, random = np.random.default_rng(seed), Random(seed)
    trailing, raw_files = data.draw(datasets.trailing_shapes(zeros=False)), data.draw(st.booleans())
    parts = [
        datasets.random_array(rng, (rows, *trailing), f"u{np.dtype(NARROW[name]).itemsize}").view(
            NARROW[name]
        )
        for rows in data.draw(datasets.splits)
    ]
    folder = tempfile.mkdtemp(prefix="muster-test-", dir=env.SCRATCH)
    target = np.dtype(random.choice(["f4", "f4", "f8", "f2", "c8", "c16", "g"]))
    options = {"source_dtype": name}
    if target != np.float32 or random.random() < 0.5:
        options["dtype"] = target.name
    if raw_files:
        options |= {"format": "raw", "row_shape": trailing}
    paths = [
        reference.put(folder, f"{i}.dat", p.tobytes())
        if raw_files
        else reference.put(folder, f"{i}.npy", p)
        for i, p in enumerate(parts)
    ]
    made = datasets.Made(folder, [folder], options, paths, parts)
    try:
        with np.errstate(all="ignore"):
            expected = np.concatenate(parts).astype("f4").astype(target)
        with Dataset(folder, **options) as dataset:
            assert dataset.dtype == target
            assert dataset.source_name == name
            assert reference.same_values(dataset.read(), expected)
            got, result = dataset.load(checksum=True, **datasets.load_options(random))
            assert reference.same_values(got, expected)
            assert result.checksum == reference.checksum(got)
    finally:
        datasets.remove(made)


#: Examples of each in a normal run: 2,050 in all.
PROPERTIES = [(npy, 650), (stacked, 250), (raw, 450), (conversion, 500), (narrow_floats, 200)]


def run(function, examples, seed=None):
    def test(data):
        function(data)

    test.__qualname__ = test.__name__ = function.__name__
    test = hypothesis.given(st.data())(test)
    phases = [hypothesis.Phase.generate, hypothesis.Phase.shrink]
    test = hypothesis.settings(max_examples=examples, derandomize=seed is None, phases=phases)(test)
    if seed is not None:
        test = hypothesis.seed(seed)(test)
    test()


@pytest.mark.parametrize("function, examples", PROPERTIES, ids=lambda p: getattr(p, "__name__", p))
def test_random_datasets_equal_numpy(function, examples):
    run(function, examples)


@pytest.mark.parametrize("name", sorted(NARROW))
def test_every_value_of_a_narrow_float(folder, name):
    kind = np.dtype(NARROW[name])
    every = np.arange(256**kind.itemsize, dtype=f"u{kind.itemsize}").view(kind)
    reference.put(folder, "all.npy", every)
    for target in ("f4", "f8", "f2"):
        with Dataset(folder, source_dtype=name, dtype=target) as dataset:
            with np.errstate(all="ignore"):
                expected = every.astype("f4").astype(target)
            assert reference.same_values(dataset.read(), expected)


def test_every_float16_and_every_rounding_to_it(folder):
    """All float16 as float32 and float64, and the halves between neighbours on the way back."""
    every = np.arange(2**16, dtype="u2").view("f2")
    finite = np.sort(every[np.isfinite(every)].astype("f8"))
    between = (finite[1:] + finite[:-1]) / 2
    near = np.concatenate([between, np.nextafter(between, -np.inf), np.nextafter(between, np.inf)])
    for values, target in [(every, "f4"), (every, "f8"), (near, "f2"), (near.astype("f4"), "f2")]:
        path = reference.put(folder, "x.npy", values)
        with Dataset(path, dtype=target) as dataset, np.errstate(all="ignore"):
            assert reference.same_values(dataset.read(), values.astype(target))


@pytest.mark.parametrize(
    "source", datasets.NUMBERS + ["M8[ns]", "m8[s]", "M8", "bfloat16", "float8_e5m2"]
)
def test_conversions_allowed_are_those_of_same_kind(folder, source):
    """The whole table, whether or not random draws met each pair."""
    values = np.zeros((2, 3), NARROW.get(source, source))
    reference.put(folder, "x.npy", values)
    options = {"source_dtype": source} if source in NARROW else {}
    for target in datasets.NUMBERS:
        kind = np.dtype("f4") if source in NARROW else values.dtype
        try:
            with Dataset(folder, dtype=np.dtype(target).str, **options) as dataset:
                assert may_convert(kind, target), f"{source} became {target}"
                assert dataset.dtype == target and not dataset.read().any()
        except MusterError as error:
            assert not may_convert(kind, target), f"{source} to {target}: {error}"
            assert error.status == libmuster.MISMATCH


def test_seed_examples_are_derandomized():
    """Two runs draw the same datasets."""
    seen = []

    def note(data):
        seen.append(data.draw(datasets.seeds))

    run(note, 20)
    first, seen[:] = list(seen), []
    run(note, 20)
    assert seen == first

# SPDX-License-Identifier: Apache-2.0
"""
Rows into the memory of a GPU against NumPy: every dtype, conversion, byte order and memory order, into
dense memory and into any strides. The GPU is tests/support/fake_cuda.c, which checks each call.
"""

import contextlib
import ctypes as c
import functools
from random import Random

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from support import datasets, env, reference
from support.destinations import CANARY, Destination
from support.libmuster import (
    CGpuOptions,
    Dataset,
    MusterError,
    UNSUPPORTED,
    call,
    lib,
    options,
    strides_of,
)

SUPPORT = env.BUILD / "tests/support"


@functools.cache
def fake():
    library = c.CDLL(str(SUPPORT / "libfake_cuda.so"))
    for name, (result, *arguments) in {
        "fake_cuda_reset": (None,),
        "fake_cuda_use": (None, c.c_int),
        "fake_cuda_alloc": (c.c_uint64, c.c_size_t),
        "fake_cuda_peek": (None, c.c_uint64, c.c_void_p, c.c_size_t),
        "fake_cuda_problem": (c.c_char_p,),
        "fake_cuda_alive": (c.c_int,),
    }.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


def open_gpu(**values):
    handle, keep = c.c_void_p(), []
    made = options(lib().muster_gpu_options_init, CGpuOptions, keep, **values)
    call("muster_gpu_open", c.byref(made), c.byref(handle))
    return handle


@contextlib.contextmanager
def gpu():
    """An open GPU, a context of which is current. At the end all was right and nothing is left."""
    fake().fake_cuda_reset()
    fake().fake_cuda_use(0)
    handle = open_gpu(cuda_library=SUPPORT / "libfake_cuda.so")
    try:
        yield handle
    finally:
        lib().muster_gpu_close(handle)
    assert fake().fake_cuda_problem() == b""
    assert fake().fake_cuda_alive() == 0


def read_into(handle, dataset, into, lo, hi, strides=True):
    """Rows into a block of the device that is laid out like the destination's; then fetched."""
    address = fake().fake_cuda_alloc(into.block.nbytes)
    first = address + into.array.ctypes.data - into.block.ctypes.data
    layout = strides_of(into.array) if strides else None
    call("muster_read_rows_gpu", handle, dataset.handle, lo, hi, first, layout, None)
    fake().fake_cuda_peek(address, into.block.ctypes.data, into.block.nbytes)


def dense(shape, dtype):
    return Destination(shape, dtype, [(axis, 1, 0, 0) for axis in range(len(shape))])


def check(random, dataset, expected, same=reference.same):
    """Some rows, or all, densely and strided."""
    with gpu() as handle:
        for strided in (False, False, True, True):
            lo, hi = sorted(random.randint(0, len(expected)) for _ in range(2))
            lo, hi = random.choice([(lo, hi), (0, len(expected))])
            shape, dtype = expected[lo:hi].shape, expected.dtype
            into = datasets.destination(random, shape, dtype) if strided else dense(shape, dtype)
            read_into(handle, dataset, into, lo, hi, strides=strided)
            assert same(np.array(into.array), expected[lo:hi])
            into.untouched()


def examples(count):
    return hypothesis.settings(max_examples=count)


@examples(150)
@hypothesis.given(
    st.one_of(datasets.npy_datasets(), datasets.raw_datasets(), datasets.stacked_datasets()),
    datasets.seeds,
)
def test_random_datasets(made, seed):
    try:
        with Dataset(made.inputs, **made.options) as dataset:
            check(Random(seed), dataset, made.whole)
    finally:
        datasets.remove(made)


SAFE = [
    (source, target)
    for source in datasets.NUMBERS
    for target in datasets.NUMBERS
    if np.can_cast(source, target, "safe")
]


@pytest.mark.parametrize("source, target", SAFE, ids=lambda dtype: dtype)
def test_conversions(folder, source, target):
    rng, random = np.random.default_rng(7), Random(7)
    parts = [
        datasets.in_some_order(random, datasets.numeric_array(rng, (rows, 3, 2), source))
        for rows in (4, 0, 7)
    ]
    for index, part in enumerate(parts):
        reference.put(folder, f"{index}.npy", part)
    whole = np.concatenate([reference.native(part) for part in parts])
    with Dataset(folder, dtype=np.dtype(target).str) as dataset, np.errstate(all="ignore"):
        check(random, dataset, whole.astype(target), reference.same_values)


def test_the_blank_of_both_is_the_same():
    fake().fake_cuda_reset()
    fake().fake_cuda_use(0)
    byte = np.zeros(1, np.uint8)
    fake().fake_cuda_peek(fake().fake_cuda_alloc(1), byte.ctypes.data, 1)
    assert byte[0] == CANARY


def test_the_driver_without_devices(tmp_path):
    """The one that cuPyNumeric is run with where there is no GPU lacks most functions."""
    with pytest.raises(MusterError) as error:
        open_gpu(cuda_library=SUPPORT / "no_gpu/libcuda.so.1")
    assert error.value.status == UNSUPPORTED
    assert "CUDA_ERROR_NO_DEVICE (no CUDA-capable device is detected)" in error.value.message
    with pytest.raises(MusterError) as error:
        open_gpu(cuda_library=tmp_path / "libcuda.so.1")
    assert error.value.status == UNSUPPORTED and str(tmp_path) in error.value.message

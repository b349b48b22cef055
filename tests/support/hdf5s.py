# SPDX-License-Identifier: Apache-2.0
"""Random HDF5 files, as h5py writes them, and what they hold by NumPy's arithmetic."""

import random

import h5py
import hdf5plugin
import numpy as np

DTYPES = "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 g c8 c16 >i2 >i4 >i8 >u2 >u8 >f2 >f4 >f8 >c8 >c16".split()

#: Filters that h5py sets up, by the arguments that ask for them.
FILTERS = [
    {},
    {"compression": "gzip", "compression_opts": 1},
    {"compression": "gzip", "shuffle": True},
    {"compression": "gzip", "shuffle": True, "fletcher32": True},
    {"compression": "lzf"},
    {"compression": "lzf", "shuffle": True, "fletcher32": True},
    {"shuffle": True},
    {"fletcher32": True},
    {"compression": "szip"},
    {"scaleoffset": 0},
    hdf5plugin.Zstd(clevel=1),
    dict(hdf5plugin.Zstd(clevel=3)) | {"shuffle": True},
    hdf5plugin.LZ4(),
    hdf5plugin.LZ4(nbytes=128),
    hdf5plugin.Blosc(cname="lz4", shuffle=hdf5plugin.Blosc.SHUFFLE),
    hdf5plugin.Blosc(cname="zlib", shuffle=hdf5plugin.Blosc.BITSHUFFLE),
    hdf5plugin.Blosc(cname="blosclz", shuffle=hdf5plugin.Blosc.NOSHUFFLE),
    hdf5plugin.Bitshuffle(cname="none"),
    hdf5plugin.Bitshuffle(cname="lz4"),
    hdf5plugin.Bitshuffle(cname="lz4", nelems=256),
    hdf5plugin.Bitshuffle(cname="zstd"),
]
FILTERS = [dict(f) for f in FILTERS]


def values(rng, shape, dtype):
    """Numbers that compress somewhat; any bits where that does no harm."""
    dtype = np.dtype(dtype)
    numpy_rng = np.random.default_rng(rng.getrandbits(32))
    if dtype.kind == "b":
        return numpy_rng.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        high = rng.choice([2, 100, np.iinfo(dtype).max])
        return numpy_rng.integers(0, high, shape, dtype=dtype.newbyteorder("=")).astype(dtype)
    array = np.round(numpy_rng.standard_normal(shape) * 8)
    if dtype.kind == "c":
        array = array + 1j * np.round(numpy_rng.standard_normal(shape) * 8)
    return np.asarray(array).astype(dtype)


def _shape(rng):
    rank = rng.choice([1, 1, 2, 2, 3, 4])
    limit = {1: 300, 2: 40, 3: 14, 4: 7}[rank]
    return tuple(rng.choice([0, 1, *[rng.randint(1, limit)] * 8]) for _ in range(rank))


def _fits(filters, dtype, chunks):
    """Whether the filter takes these elements."""
    name, dtype = filters.get("compression"), np.dtype(dtype)
    if name == "szip":
        return dtype.kind in "iuf" and dtype.itemsize in (1, 2, 4, 8) and np.prod(chunks) >= 32
    if "scaleoffset" in filters:
        return dtype.kind in "iu" and "fletcher32" not in filters
    return True


def _write_some(rng, dataset, array, fill):
    """Parts of it; the rest stays as it was made."""
    expected = np.full(array.shape, fill, array.dtype)
    for _ in range(rng.randint(0, 3)):
        cut = tuple(slice(*sorted((rng.randint(0, n), rng.randint(0, n)))) for n in array.shape)
        dataset[cut] = array[cut]
        expected[cut] = array[cut]
    return expected


def _resize(rng, dataset, array, fill):
    """Longer, or shorter and longer again."""
    expected = array
    for _ in range(2):
        shape = tuple(rng.randint(0, n + 5) for n in expected.shape)
        dataset.resize(shape)
        both = tuple(slice(0, min(a, b)) for a, b in zip(shape, expected.shape))
        changed = np.full(shape, fill, array.dtype)
        changed[both] = expected[both]
        expected = changed
    return expected


def _options(rng, dtype, shape):
    options = {"dtype": np.dtype(dtype), "shape": shape}
    if rng.random() < 0.8:
        limit = [max(1, n + 2) for n in shape]
        options["chunks"] = tuple(rng.randint(1, n) for n in limit)
        options["maxshape"] = (None,) * len(shape)
        filters = rng.choice(FILTERS)
        if _fits(filters, dtype, options["chunks"]):
            options |= filters
    if rng.random() < 0.4 and "scaleoffset" not in options:
        options["fillvalue"] = values(rng, (), dtype)[()]
    if rng.random() < 0.2 and "chunks" not in options:
        options["external"] = [(f"external-{rng.getrandbits(32):08x}", 0, h5py.h5f.UNLIMITED)]
    return options


def write(number, path):
    """File `number` at the path. Returns the name of its dataset, and the array."""
    rng = random.Random(number)
    dtype, shape = rng.choice(DTYPES), _shape(rng)
    name = rng.choice(["x", "/group/of/x", "with space", "ünïcode", "deep/" * 20 + "x"])
    options = _options(rng, dtype, shape)
    external = options.get("external")
    userblock = rng.choice([0, 0, 512, 2048])
    libver = rng.choice(["earliest", ("earliest", "v108"), ("v108", "v110"), ("v110", "v110")])
    fill = options.get("fillvalue", np.zeros((), dtype)[()])
    with h5py.File(path, "w", libver=libver, userblock_size=userblock) as file:
        if external:
            (path.parent / external[0][0]).touch()
            options["efile_prefix"] = str(path.parent)
        array = values(rng, shape, dtype)
        dataset = file.create_dataset(name, **options)
        whole = external or rng.random() < 0.6
        if whole:
            dataset[...] = array
        else:
            array = _write_some(rng, dataset, array, fill)
        if "maxshape" in options and rng.random() < 0.3:
            array = _resize(rng, dataset, array, fill)
    return name, array
